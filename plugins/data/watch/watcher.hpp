// watch/watcher.hpp: finds the watched resources that may have changed since the last look.
//
// Rules decide for each caller which rows it sees, so every commit may have changed a count or
// samples; the host finds the subscribers that it concerns. A schema has changed when its content
// has: commits that change only rows or internal columns are not reported. For one that cannot be
// read within its time limit, every commit counts. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

#include "resources/resource_uri.hpp"

namespace gantry::data {

// The state of the database at one look.
struct DatabaseState {
  std::uint64_t version = 0;         // differs from the previous one if anything may have changed
  std::vector<std::string> classes;  // sorted by name
};

// The fingerprint of a resource's content.
struct Content {
  enum class State {
    known,
    later,       // cannot be read at present: the database is locked, or was replaced
    unknowable,  // reading takes too long, or what is read depends on the reader
  };
  State state = State::known;
  std::uint64_t fingerprint = 0;  // valid if known

  bool operator==(const Content&) const = default;
};

// The database, as subscribers see it.
class Source {
 public:
  virtual ~Source() = default;
  // Cheap while nothing changes. Errors: the database cannot be read at present.
  virtual Result<DatabaseState> look() = 0;
  virtual Content content_of(const ResourceUri& what) = 0;
};

// The subscribers to changes.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual std::vector<std::string> watched() = 0;  // URIs
  virtual void updated(const std::string& uri) = 0;
  virtual void deleted(const std::string& uri) = 0;
  virtual void list_changed() = 0;
};

class Watcher {
 public:
  Watcher(Source& source, Audience& audience) : source_(source), audience_(audience) {}

  // Looks once and reports changes. Errors: look()'s; the next look reports the missed changes.
  Status look();
  // Whether any resource was watched at the last look.
  bool has_audience() const { return has_audience_; }

 private:
  struct Watched {
    ResourceUri what;
    std::optional<std::uint64_t> fingerprint;  // of the content at the last look
    bool is_due = false;                       // something was committed since the last comparison
  };
  using Contents = std::map<std::string, Content>;

  void forget_unwatched(const std::vector<std::string>& uris);
  void compare_known(const DatabaseState& state, bool moved, Contents& contents);
  bool compare(const std::string& uri, Watched& known, const DatabaseState& state,
               Contents& contents);
  void add_subscriptions(const std::vector<std::string>& uris, const DatabaseState& state,
                         bool moved, Contents& contents);
  Content content_of(const ResourceUri& what, Contents& contents);

  Source& source_;
  Audience& audience_;
  bool has_audience_ = false;
  std::optional<DatabaseState> last_;
  std::map<std::string, Watched> watched_;  // by URI in the client's spelling
};

}  // namespace gantry::data
