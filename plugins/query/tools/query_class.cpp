#include <gantry/data_answer.hpp>

#include "core/next_call.hpp"
#include "tools/tools.hpp"

namespace query {
namespace {

using gantry::Json;

std::string format_of(const gantry::Call& call) {
  const auto arguments = Json::parse(call.arguments());
  const auto format = arguments ? arguments->find("format") : std::nullopt;
  return format ? format->as_string().value_or("json") : "json";
}

// `,"next_call":{…}` while there are more rows and nothing was cut; else nothing.
std::string next_call_member(const gantry::Call& call, const std::string& meta) {
  const auto parsed = Json::parse(meta);
  if (!parsed || parsed->find("_truncated")) return {};
  const auto pagination = parsed->find("pagination");
  const auto number = [&](const char* name) {
    const auto value = pagination ? pagination->find(name) : std::nullopt;
    return value ? value->as_integer().value_or(0) : 0;
  };
  const auto more = pagination ? pagination->find("has_more") : std::nullopt;
  if (!more || !more->as_bool().value_or(false)) return {};
  return ",\"next_call\":" +
         next_call(call.arguments(), number("limit"), number("skip") + number("limit"));
}

std::string members(std::string_view meta) { return std::string(gantry::members_of(meta)); }

void answer_as_text(const gantry::Data& data, gantry::Call& call) {
  const gantry::DataReply reply = data.run(call, "query_text", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured("{" + gantry::class_name_member(call) + members(reply.meta) +
                        next_call_member(call, reply.meta) + "}");
}

}  // namespace

void query_class(const gantry::Data& data, gantry::Call& call) {
  if (format_of(call) != "json") return answer_as_text(data, call);
  (void)call.begin_structured();
  (void)call.raw("{" + gantry::class_name_member(call) + "\"results\":");
  const gantry::DataReply reply = data.forward(call, "query", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.raw("," + members(reply.meta) + next_call_member(call, reply.meta) + "}");
  (void)call.end_structured();
}

}  // namespace query
