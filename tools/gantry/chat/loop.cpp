#include "tools/gantry/chat/loop.hpp"

namespace gantry::cli::chat {
namespace {

constexpr int kPauses = 8;
constexpr const char* kNoAnswer = "(The model gave no answer after its last tools.)";

}  // namespace

Played Loop::play(const std::string& system, const std::string& question, History& history) {
  Played played;
  history.add({.role = Role::user, .text = question});
  for (int pauses = 0; pauses <= kPauses;) {
    const bool may_call = played.rounds < kRounds;
    const Asked asked = ask(system, history, may_call, played);
    if (!asked.status) {
      give_up(asked, history, played);
      return played;
    }
    if (!take(asked, may_call, history, played)) return played;
    if (played.end == End::paused) ++pauses;
  }
  played.status = Status::failed("the model paused too often without an answer");
  return played;
}

Asked Loop::ask(const std::string& system, const History& history, bool may_call, Played& played) {
  const Request request{system, history.messages(), tools_.specs(), may_call};
  Asked asked = model_.ask(request, on_text_);
  on_reply_();
  const double before = meter_.all().dollars;
  meter_.add(asked.reply.model, asked.reply.usage);
  if (asked.status && asked.reply.usage.input == 0) {  // a local server that does not count
    meter_.estimate_context(estimated_tokens(history.messages()));
  }
  played.spent += {asked.reply.usage, meter_.all().dollars - before};
  if (!asked.reply.model.empty()) played.model = asked.reply.model;
  return asked;
}

// Returns whether the model is to be asked again.
bool Loop::take(const Asked& asked, bool may_call, History& history, Played& played) {
  const Reply& reply = asked.reply;
  played.answer = reply.text;
  played.end = reply.end;
  if (reply.end == End::refused) {
    history.drop_turn();
    played.status = Status::denied(reply.refusal.empty() ? "the model refused to answer"
                                                         : "the model refused: " + reply.refusal);
    return false;
  }
  if (!reply.calls.empty() && may_call) {
    history.add(
        {.role = Role::assistant, .text = reply.text, .wire = reply.wire, .calls = reply.calls});
    return run_tools(reply.calls, history, played);
  }
  if (!reply.calls.empty()) {  // it calls although it must not: its calls are not in the history
    if (played.answer.empty()) played.answer = kNoAnswer;
    keep_answer(played, history);
    return false;
  }
  if (!reply.text.empty() || reply.end == End::paused) {
    history.add({.role = Role::assistant, .text = reply.text, .wire = reply.wire});
  }
  return reply.end == End::paused;
}

bool Loop::run_tools(const std::vector<ToolCall>& calls, History& history, Played& played) {
  Message results{.role = Role::results, .text = {}};
  bool cancelled = false;
  for (Called& called : tools_.run(calls)) {
    results.results.push_back(called.result);
    cancelled = cancelled || called.is_cancelled;
    played.calls.push_back(std::move(called));
  }
  history.add(std::move(results));
  ++played.rounds;
  if (cancelled) played.status = Status(GANTRY_CANCELLED, "cancelled");
  return !cancelled;
}

// The answer is in the history as if the model had said it and no more.
void Loop::keep_answer(const Played& played, History& history) const {
  history.add({.role = Role::assistant, .text = played.answer, .wire = model_.said(played.answer)});
}

void Loop::give_up(const Asked& asked, History& history, Played& played) const {
  played.status = asked.status;
  played.answer = asked.reply.text;
  if (!played.answer.empty()) {
    keep_answer(played, history);
  } else if (played.rounds == 0) {
    history.drop_turn();
  }
}

}  // namespace gantry::cli::chat
