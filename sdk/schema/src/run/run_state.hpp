// The state that all rules of one check share: the program, the limits and the sink. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "program.hpp"
#include "regex.hpp"
#include "run/frame.hpp"

namespace gantry::schema::detail {

struct Branch;
class Sink;

class RunState {
 public:
  // Without a sink nothing is reported. `program` and the sink must outlive the state.
  RunState(const Program& program, Sink* sink)
      : program_(program), sink_(sink), steps_(program.max_steps) {}

  const Program& program() const { return program_; }

  // Whether failures are described. If not, the first failure decides the check, so rules return at
  // once; if so, they go on where further findings are useful.
  bool reports() const { return sink_ != nullptr; }
  // Replaces the sink and returns the one before; used by SinkSwap.
  Sink* swap_sink(Sink* sink) { return std::exchange(sink_, sink); }

  // Takes `steps` from the budget; false once the check has been stopped.
  bool spend(std::uint64_t steps) {
    if (steps_ < steps) return stop("the check would take too many steps");
    steps_ -= steps;
    return stopped_ == nullptr;
  }
  // Ends the check without a verdict; `why` must be a literal. Returns false.
  bool stop(const char* why);
  // The limit that ended the check, or null.
  const char* stopped() const { return stopped_; }

  // Reports to the sink, if there is one; returns false.
  bool fail(const Op& op, const Frame& f, std::string_view name = {});
  // The same for anyOf and oneOf, with the findings of each alternative.
  bool fail_branches(const Op& op, const Frame& f, std::vector<Branch> branches);

  // Whether pattern number `regex` of the program is found in `text`, for a price in steps.
  bool matches(std::uint32_t regex, std::string_view text);
  // Whether `object` has the member, for a price in steps.
  bool has_member(const Json& object, std::string_view name);

 private:
  const Program& program_;
  Sink* sink_;
  Matcher matcher_;
  std::uint64_t steps_;
  const char* stopped_ = nullptr;
};

// Sends the findings of a scope to another sink; null discards them.
class SinkSwap {
 public:
  SinkSwap(RunState& state, Sink* sink) : state_(state), before_(state.swap_sink(sink)) {}
  ~SinkSwap() { state_.swap_sink(before_); }
  SinkSwap(const SinkSwap&) = delete;
  SinkSwap& operator=(const SinkSwap&) = delete;

 private:
  RunState& state_;
  Sink* before_;
};

}  // namespace gantry::schema::detail
