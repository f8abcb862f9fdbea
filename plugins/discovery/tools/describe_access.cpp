#include "core/own_access.hpp"
#include "tools/tools.hpp"

namespace discovery {
namespace {

constexpr std::string_view kWritesSql = "query_sql";

using gantry::Call;
using gantry::Data;
using gantry::DataReply;

std::string text_argument(const gantry::Json& arguments, std::string_view name) {
  const auto value = arguments.find(name);
  return value ? value->as_string().value_or("") : std::string();
}

// No plugin offers classes. The operations used here have no such error of their own.
bool lacks_data(const DataReply& reply) { return reply.status.code() == GANTRY_NOT_FOUND; }

void answer_own(const Data& data, Call& call, const std::string& tools) {
  const DataReply schemas = data.run(call, "schemas", {});
  if (!schemas.status && !lacks_data(schemas)) return Data::fail(call, schemas);
  (void)call.structured(
      own_access({call.agent(), tools, schemas.status ? std::string_view(schemas.meta) : "",
                  call.property("max_answer_bytes")}));
}

std::string access_arguments(const Question& question) {
  std::string text;
  gantry::JsonWriter json(text);
  json.begin_object();
  if (!question.class_name.empty()) json.key("class_name").string(question.class_name);
  if (!question.tool.empty()) json.key("tool").string(question.tool);
  json.end_object();
  return text;
}

// What else the agent may do with the class; empty: nothing.
std::string operations_on(const Data& data, const Call& call, const Question& question) {
  if (question.tool.empty() || question.class_name.empty()) return {};
  const DataReply reply = data.run(call, "access", access_arguments({"", question.class_name}));
  return reply.status ? class_verdict(reply.meta).operations : std::string();
}

// Nothing: an error has ended the call.
std::optional<Verdict> verdict_on_class(const Data& data, Call& call, const Question& question,
                                        const std::string& tools) {
  const DataReply reply = data.run(call, "access", access_arguments(question));
  if (reply.status) return class_verdict(reply.meta);
  if (lacks_data(reply)) return Verdict{false, "This server has no database", {}, {}, {}};
  auto denial = class_denial(reply.error, operations_on(data, call, question), tools);
  if (!denial) Data::fail(call, reply);
  return denial;
}

}  // namespace

void describe_access(const gantry::Catalog& catalog, const Data& data, Call& call) {
  const auto tools = catalog.items(call);
  const auto arguments = gantry::Json::parse(call.arguments());
  if (!tools || !arguments) {
    (void)call.fail("internal_error", tools ? arguments.message() : tools.message());
    return;
  }
  const Question question{text_argument(*arguments, "tool"),
                          text_argument(*arguments, "class_name")};
  if (question.tool.empty() && question.class_name.empty()) return answer_own(data, call, *tools);
  std::optional<Verdict> verdict = Verdict();
  if (!question.tool.empty()) {
    const auto explanation = catalog.explain(call, "tool", question.tool);
    verdict = tool_verdict(explanation ? *explanation : "{}", *tools);
  }
  const bool asks_for_sql = question.tool == kWritesSql;  // an operator may turn SQL off
  if (verdict->allowed && (!question.class_name.empty() || asks_for_sql)) {
    verdict = verdict_on_class(data, call, question, *tools);
  }
  if (verdict) (void)call.structured(verdict_answer(question, *verdict));
}

}  // namespace discovery
