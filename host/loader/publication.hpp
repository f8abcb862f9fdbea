// host/loader/publication.hpp: publishes instances for calls, and the plugins' states for
// operators.
//
// Control thread; view() any thread.
#pragma once

#include <string_view>
#include <vector>

#include "host/loader/loader_options.hpp"
#include "host/loader/view.hpp"
#include "host/plugin/plugin_publisher.hpp"
#include "host/plugin/plugin_state.hpp"

namespace gantry::host {

class Janitor;
class PluginTable;
struct PluginEntry;
struct StartAttempt;

class Publication {
 public:
  // All outlive this.
  Publication(const LoaderOptions& options, PluginTable& table, Janitor& janitor)
      : options_(options), table_(table), janitor_(janitor), view_(options.publisher) {}

  // Publishes the table's instances, if they or their states changed. A generation that the
  // publisher refuses is retired.
  void publish_instances();
  void publish();  // the same, then show()
  // Updates the states that operators see, and reports those that changed.
  void show();
  // Takes everything away; the table is empty.
  void clear();
  // Ends a generation that will never be published.
  void discard(StartAttempt attempt);

  // The state of a plugin, with the reason when it does not serve its newest file.
  Status standing(std::string_view name) const;
  View& view() { return view_; }
  const View& view() const { return view_; }

 private:
  PluginState state_of(const std::string& name, const PluginEntry& entry) const;
  std::vector<PluginState> hidden_states() const;
  std::vector<PluginState> ending_states(const std::vector<PluginState>& others) const;
  void retire_refused(const std::vector<OfferRefusal>& refusals);

  const LoaderOptions& options_;
  PluginTable& table_;
  Janitor& janitor_;
  View view_;
  // The last published instances; compared by address, the publisher owns them.
  std::vector<const Instance*> published_;
  std::vector<PluginState> published_states_;
};

}  // namespace gantry::host
