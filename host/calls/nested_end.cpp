#include "host/calls/nested_end.hpp"

#include "host/calls/answer.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/promise.hpp"
#include "sdk/contract/nested_answer.hpp"

namespace gantry::host {
namespace {

std::string joined_text(Output& output) {
  std::string text;
  for (const auto& [type, body] : output.parts()) {
    if (type == "text") text += (text.empty() ? "" : "\n") + body;
  }
  return text;
}

// The end of a nested call, as its caller gets it. Without a code it has succeeded.
struct End {
  gantry_status status = GANTRY_OK;
  Output::Failure failure{};
};

End internal_error(gantry_call& child, std::string_view wrong) {
  child.engine->answers().fault(child, wrong);
  return {GANTRY_FAILED, {"internal_error", "Internal error", {}}};
}

End end_of(gantry_call& child, gantry_status status) {
  Output& output = child.output;
  if (output.failed()) return {status < 0 ? status : GANTRY_FAILED, output.failure()};
  if (output.overflowed()) {
    return {GANTRY_TOO_BIG, {"invalid_argument", "The answer is too large", {}}};
  }
  if (status == GANTRY_INPUT_REQUIRED) {
    return internal_error(child, "it returned GANTRY_INPUT_REQUIRED in a nested call");
  }
  if (status < 0) {
    Output::Failure failure = failure_of(status);
    if (std::string text = joined_text(output); !text.empty()) failure.message = std::move(text);
    return {status, std::move(failure)};
  }
  if (!child.target.kind->in(contract::kService)) {
    if (const std::string wrong = broken_promise(child); !wrong.empty()) {
      return internal_error(child, wrong);
    }
  }
  return {};
}

std::size_t bytes_of_output(Output& output) {
  std::size_t bytes = output.structured().size();
  for (const auto& [type, body] : output.parts()) bytes += body.size();
  return bytes;
}

}  // namespace

gantry_status deliver(gantry_call& child, gantry_status status, gantry_answer answer) {
  const End end = end_of(child, status);
  Output& output = child.output;
  if (!child.target.kind->in(contract::kService) && child.agent.profile->depth > 0) {
    child.engine->answers().sub_agent_called(
        *child.root, {.agent = *child.agent.profile,
                      .tool = child.target.name,
                      .plugin = child.target.plugin->manifest().name,
                      .generation = child.target.plugin->generation(),
                      .arguments = child.arguments,
                      .ran = true,
                      .error_code = end.failure.code,
                      .bytes = end.failure.code.empty() ? bytes_of_output(output) : 0,
                      .took = std::chrono::steady_clock::now() - child.nested.began});
  }
  const Output::Failure& no = end.failure;
  if (!no.code.empty())
    return contract::give_error(answer, end.status, no.code, no.message, no.details);
  if (!output.structured().empty()) contract::give_part(answer, "json", output.structured());
  for (const auto& [type, body] : output.parts()) contract::give_part(answer, type, body);
  return GANTRY_OK;
}

void report_refused(gantry_call& parent, const Agent& agent, const Item& item,
                    std::string_view arguments, std::string_view code) {
  if (agent.depth == 0) return;
  parent.engine->answers().sub_agent_called(*parent.root, {.agent = agent,
                                                           .tool = item.spec.name,
                                                           .plugin = item.plugin->manifest().name,
                                                           .generation = item.plugin->generation(),
                                                           .arguments = arguments,
                                                           .error_code = code});
}

}  // namespace gantry::host
