// host/calls/redaction.hpp (private): passes the answers of plugins that are not built in through
// the service gantry.redaction/1, so that they name no object that the caller may not see.
//
// A built-in plugin offers the service (sdk/ABI.md, "Redaction"); without one there is nothing to
// hide. An answer that cannot be checked is not given. Pure but for the call records that it makes;
// any thread.
#pragma once

#include "host/calls/call.hpp"

namespace gantry::host {

inline constexpr std::string_view kRedactionService = "gantry.redaction/1";

// One answer on its way through the service, a text at a time.
class Redaction {
 public:
  // `root`: a client's call that has ended, answered or not.
  explicit Redaction(CallRef root) : root_(std::move(root)) {}

  gantry_call& root() const { return *root_; }
  // The call of the service for the next text of the answer; empty: none is left.
  CallRef next(CallSlab& slab);
  // Puts the service's reply in place of that text. False: the answer must not be given.
  bool take(gantry_call& ended, gantry_status status);

 private:
  std::string* text_at(std::size_t part) const;

  CallRef root_;
  std::size_t next_ = 0;
  std::string* text_ = nullptr;  // the one that the service has
};

// Whether the answer of this ended client's call may name a class, and came from a plugin that is
// not built in.
bool needs_redaction(gantry_call& root);

}  // namespace gantry::host
