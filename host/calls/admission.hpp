// host/calls/admission.hpp (private): decides whether a call begins.
//
// A call is refused because of its item, its agent or its arguments, or because all places are
// taken (parties.hpp). Any thread.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "host/calls/calls.hpp"
#include "host/calls/parties.hpp"

namespace gantry::host {

class Admission {
 public:
  // `open`: the gates that the operator has opened.
  Admission(int max_running, bool strict_arguments, contract::GateSet open)
      : strict_(strict_arguments), open_(open), parties_(max_running) {}

  // The answer of a call that is refused; nothing when it may begin. Validates the arguments of a
  // tool against its input schema. If they fit it after conversions (fitting.hpp), `fitting` is
  // their text, else it stays empty.
  std::optional<ItemAnswer> refusal(const ItemCall& request, std::string& fitting) const;
  // As Calls::denied().
  std::optional<ItemAnswer> denied(const Agent& agent, const Item& item) const;

  // Takes a place for the call. Nothing: no place is free, or close() was called.
  std::optional<GroupId> enter(const ItemCall& request);
  void leave(GroupId group) { parties_.leave(group); }
  int running() const { return parties_.running(); }
  // From here on, enter() returns nothing.
  void close() { closed_ = true; }

 private:
  const bool strict_;
  const contract::GateSet open_;
  Parties parties_;
  std::atomic<bool> closed_{false};
};

}  // namespace gantry::host
