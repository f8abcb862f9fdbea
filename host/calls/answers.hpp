// host/calls/answers.hpp (private): the output of calls to their clients: progress, log lines,
// tasks and one answer each.
//
// The answer of a call is made from its writes and its status when it ends, unless a deadline or a
// cancellation has answered it before. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/calls/call.hpp"
#include "host/calls/calls.hpp"

namespace gantry::host {

class Answers {
 public:
  // `metrics` outlives it. Answers larger than `max_bytes` become errors.
  Answers(Metrics& metrics, FaultLog faults, std::size_t max_bytes);

  // Answers the client's call unless it has an answer; true if this was the answer. A `tree` state
  // other than active cancels the call's tree with it.
  bool give(gantry_call& root, ItemAnswer&& with, TreeState tree = TreeState::active);
  // The plugin has ended the client's call with `status`: gives the answer that it has written.
  void give_written(gantry_call& root, gantry_status status);

  // Reports of a plugin during a call; dropped once the client's call is answered. GANTRY_CANCELLED
  // from the last two: it is answered.
  gantry_status progress(gantry_call& call, double done, double total, std::string_view note);
  gantry_status log(gantry_call& call, int level, std::string_view text);
  // Tells the listener of the client's call, which may be answered already.
  void sub_agent_called(gantry_call& root, const SubAgentCall& call);
  // As write() of the part contract::kAuditPart. GANTRY_INVALID_ARGUMENT: `note` is no JSON object.
  gantry_status add_note(gantry_call& call, std::string_view note);
  // As write() of the part contract::kSpanPart. GANTRY_TOO_BIG: see contract::kMostSpanBytes.
  static gantry_status add_span(gantry_call& root, std::string_view span);
  // As write() of the part contract::kDenialPart. GANTRY_INVALID_ARGUMENT: `cause` is no such word.
  gantry_status set_denial(gantry_call& call, std::string_view cause);
  gantry_status begin_task(gantry_call& call);
  gantry_status release(gantry_call& call);

  // Logs that the call's plugin broke the contract.
  void fault(const gantry_call& call, std::string_view sentence) const;
  // The cap on answers in bytes; as decimal text.
  std::size_t max_bytes() const { return max_bytes_; }
  // The cap on the call's answer, in decimal. Valid while the call is.
  const std::string& limit_text(const gantry_call& call) const;

 private:
  void abandon(gantry_call& root);
  ItemAnswer written(gantry_call& call, gantry_status status) const;
  ItemAnswer checked_result(gantry_call& call) const;
  ItemAnswer next_round(gantry_call& call) const;
  ItemAnswer missing_capability(gantry_call& call) const;
  ItemAnswer plugin_fault(gantry_call& call, const std::string& sentence) const;

  Metrics& metrics_;
  const FaultLog faults_;
  const std::size_t max_bytes_;
  const std::string max_bytes_text_;
};

}  // namespace gantry::host
