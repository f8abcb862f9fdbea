// gantry.input/1 of the fake host, and the next round that an answer starts.
#include "questions.hpp"
#include "use.hpp"

#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/limits.hpp"

namespace gantry::testing::detail {
namespace {

bool may_ask(std::string_view kind) {
  const contract::ItemKind* const known = contract::find_kind(kind);
  return known != nullptr && known->may_ask;
}

gantry_status answered(gantry_call& call, std::string_view key, gantry_bytes* answer) {
  const auto found = call.inputs.answers.find(key);
  if (found == call.inputs.answers.end()) return GANTRY_INPUT_REQUIRED;
  *answer = to_bytes(found->second);
  return GANTRY_OK;
}

// Records an unanswered question once.
gantry_status ask(gantry_call& call, std::string_view key, std::string_view method,
                  std::string_view params) {
  auto& asked = call.reply.asked;
  for (const Asked& earlier : asked) {
    if (earlier.key == key) return GANTRY_INPUT_REQUIRED;
  }
  if (call.inputs.answers.size() + asked.size() >= contract::kMaxInputRequests)
    return GANTRY_TOO_BIG;
  if (call.input_bytes + params.size() > contract::kMaxInputBytes) return GANTRY_TOO_BIG;
  call.input_bytes += params.size();
  asked.push_back({std::string(key), std::string(method), std::string(params)});
  return GANTRY_INPUT_REQUIRED;
}

gantry_status request(gantry_call* call, gantry_bytes key_bytes, gantry_bytes method_bytes,
                      gantry_bytes params_bytes, gantry_bytes* answer) {
  *answer = {nullptr, 0};
  Use use(call, "request", true);
  if (use.status() != GANTRY_OK) return use.status();
  const std::string_view key = to_view(key_bytes);
  const std::string_view method = to_view(method_bytes);
  const std::string_view params = params_bytes.size == 0 ? "{}" : to_view(params_bytes);
  if (const std::string problem = question_problem(key, method, params); !problem.empty()) {
    return use.invalid("request() of '" + std::string(key) + "': " + problem);
  }
  if (!may_ask(call->kind)) return GANTRY_UNSUPPORTED;
  if (gantry_status status = answered(*call, key, answer); status == GANTRY_OK) return status;
  const std::string lacks = lacking(call->host.options.client, method, params);
  if (lacks.empty()) return ask(*call, key, method, params);
  call->reply.lacks = lacks;
  return GANTRY_UNSUPPORTED;
}

gantry_bytes state(const gantry_call* call) { return to_bytes(call->inputs.state); }

gantry_status keep(gantry_call* call, gantry_bytes state) {
  Use use(call, "keep", true);
  if (use.status() != GANTRY_OK) return use.status();
  if (state.size > contract::kMaxKeptState) return GANTRY_TOO_BIG;
  call->kept = to_view(state);
  return GANTRY_OK;
}

// The client's answer to a question, if there is one of the right form.
std::optional<std::string> answer_to(HostState& host, const Asked& asked) {
  const std::lock_guard lock(host.mutex);
  const auto found = host.answers.find(asked.key);
  if (found == host.answers.end()) return std::nullopt;
  const std::string problem = answer_problem(asked, found->second);
  if (problem.empty()) return found->second;
  host.log.push_back(
      {GANTRY_LOG_WARNING, "the answer to '" + asked.key + "' counts as none: " + problem});
  return std::nullopt;
}

}  // namespace

std::optional<Inputs> next_round(gantry_call& call) {
  Inputs next;
  std::vector<Asked> questions;
  {
    const std::lock_guard lock(call.mutex);
    if (!call.reply.needs_input() || call.failed) return std::nullopt;
    if (call.inputs.round >= contract::kMaxInputRounds) return std::nullopt;
    next = {call.inputs.round + 1, call.inputs.answers, call.kept, call.is_task};
    questions = call.reply.asked;
  }
  for (const Asked& asked : questions) {
    if (auto answer = answer_to(call.host, asked)) next.answers[asked.key] = std::move(*answer);
  }
  const bool moves =
      questions.empty() ? !next.state.empty() : next.answers.size() > call.inputs.answers.size();
  return moves ? std::optional(std::move(next)) : std::nullopt;
}

const gantry_input_api& input_table() {
  static const gantry_input_api table = {sizeof(gantry_input_api), request, state, keep};
  return table;
}

}  // namespace gantry::testing::detail
