// One use of a call by the plugin: takes the lock and checks the rules of every use.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <gantry/json.hpp>

#include "sdk/contract/text.hpp"
#include "state.hpp"

namespace gantry::testing::detail {

using contract::is_utf8;

inline bool is_json_object(std::string_view text) {
  const Result<Json> json = Json::parse(text);
  return json && json->is_object();
}

// The member's text; nothing if the member is absent or no string.
inline std::optional<std::string> text_member(const Json& object, std::string_view name) {
  const std::optional<Json> member = object.find(name);
  return member ? member->as_string() : std::nullopt;
}

// Holds the call's lock during one use by the plugin; GANTRY_OK only if the call accepts writes.
class Use {
 public:
  Use(gantry_call* call, const char* function, bool writes)
      : call_(*call), writes_(writes), alone_(!writes || !call->writing.exchange(true)) {
    if (!alone_) {
      call_.host.violation(std::string(function) + "() of " + label(call_) +
                           " overlaps another write: writes of one call come one at a time");
    } else if (writes && call_.host.options.write_delay.count() > 0) {
      std::this_thread::sleep_for(call_.host.options.write_delay);
    }
    lock_ = std::unique_lock(call_.mutex);
    status_ = use_of(call_).status();
    if (status_ != GANTRY_MISUSE) return;
    lock_.unlock();
    call_.host.violation(std::string(function) + "() of " + label(call_) + " after the call ended");
  }
  ~Use() {
    if (writes_ && alone_) call_.writing = false;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  gantry_status status() const { return status_; }

  gantry_status misuse(std::string_view rule) {
    lock_.unlock();
    call_.host.violation(std::string(rule) + " (" + label(call_) + ")");
    return GANTRY_MISUSE;
  }
  gantry_status invalid(const std::string& text) {
    misuse(text);
    return GANTRY_INVALID_ARGUMENT;
  }

 private:
  gantry_call& call_;
  bool writes_, alone_;
  std::unique_lock<std::mutex> lock_;
  gantry_status status_ = GANTRY_OK;
};

}  // namespace gantry::testing::detail
