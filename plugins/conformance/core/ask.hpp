// core/ask.hpp: what a fixture asks for in one entry of its handler (gantry/abi/input.h).
//
//   Ask ask(call);
//   const auto name = ask.person("user_name", params);
//   if (!name) return ask.status();
#pragma once

#include <optional>
#include <string_view>

#include <gantry/abi/input.h>
#include <gantry/call.hpp>
#include <gantry/json.hpp>

namespace conformance {

class Ask {
 public:
  explicit Ask(const gantry::CallView& call)
      : call_(call), input_(call.host().service<gantry_input_api>(GANTRY_INPUT_SERVICE)) {}

  // The answer, once it is there; valid until the call ends. Empty: asked for, or cannot be.
  std::optional<gantry::Json> person(std::string_view key, std::string_view params) {
    return get(key, "elicitation/create", params);
  }
  std::optional<gantry::Json> model(std::string_view key, std::string_view params) {
    return get(key, "sampling/createMessage", params);
  }
  std::optional<gantry::Json> roots(std::string_view key) { return get(key, "roots/list", {}); }

  // Whether the last of these could not be asked of this client at all.
  bool refused() const { return last_ < 0; }
  // What the handler ends with when something is missing: the first refusal, else that it asked.
  gantry::Status status() const { return gantry::Status(status_, {}); }
  // True when nothing is missing.
  bool complete() const { return status_ == GANTRY_OK; }

  std::string_view state() const { return gantry::to_view(input_->state(call_.handle())); }
  void keep(std::string_view state) { note(input_->keep(call_.handle(), gantry::to_bytes(state))); }

 private:
  std::optional<gantry::Json> get(std::string_view key, std::string_view method,
                                  std::string_view params) {
    gantry_bytes answer{};
    last_ = input_->request(call_.handle(), gantry::to_bytes(key), gantry::to_bytes(method),
                            gantry::to_bytes(params), &answer);
    note(last_);
    if (last_ != GANTRY_OK) return {};
    const auto json = gantry::Json::parse(gantry::to_view(answer));
    return json ? std::optional<gantry::Json>(*json) : std::nullopt;
  }

  void note(gantry_status status) {
    if (status_ >= 0 && (status < 0 || status_ == GANTRY_OK)) status_ = status;
  }

  gantry::CallView call_;
  const gantry_input_api* input_;
  gantry_status status_ = GANTRY_OK, last_ = GANTRY_OK;
};

}  // namespace conformance
