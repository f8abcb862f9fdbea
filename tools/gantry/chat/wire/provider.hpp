// tools/gantry/chat/wire/provider.hpp: a model behind HTTP.
//
// Main thread.
#pragma once

#include <memory>
#include <string>

#include "tools/gantry/chat/loop.hpp"
#include "tools/gantry/chat/settings.hpp"
#include "tools/gantry/chat/trace.hpp"
#include "tools/gantry/chat/wire/retry.hpp"
#include "tools/gantry/chat/wire/wire.hpp"
#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli::chat {

class Provider final : public Model {
 public:
  // `on_note` gets a sentence before a request is sent again. `stop` and `trace` must outlive it.
  Provider(Settings settings, std::unique_ptr<Wire> wire, const Stop& stop, Trace& trace,
           std::function<void(const std::string& sentence)> on_note)
      : settings_(std::move(settings)),
        wire_(std::move(wire)),
        stop_(&stop),
        trace_(&trace),
        on_note_(std::move(on_note)) {}

  // One request takes at most 90 s; one that failed for a passing reason is sent again up to twice,
  // unless text of its reply was shown. The error is a sentence with the provider's words; the key
  // is in none.
  Asked ask(const Request& request, const OnText& on_text) override;
  std::string said(const std::string& text) const override { return wire_->said(text); }

 private:
  struct Attempt {
    Asked asked{};
    Failure failure{};
    bool shown = false;
  };
  Attempt attempt(const std::string& body, const OnText& on_text) const;
  Failure failure_of(const Result<HttpAnswer>& answer, const ReplyReader& reader) const;
  std::string sentence(const Failure& failure, const std::string& connection) const;

  const Settings settings_;
  const std::unique_ptr<Wire> wire_;
  const Stop* const stop_;
  Trace* const trace_;
  const std::function<void(const std::string& sentence)> on_note_;
};

// What a server of local models says of itself. Fields are empty or 0 when it does not.
struct LocalModel {
  std::string name;
  std::uint64_t context = 0;  // tokens
};

// Asks the server for its models and, as llama.cpp answers, its properties. GANTRY_NOT_FOUND: it
// does not answer, or lists no model while `settings` names none.
Result<LocalModel> look_at_local(const Settings& settings, const Stop& stop);

}  // namespace gantry::cli::chat
