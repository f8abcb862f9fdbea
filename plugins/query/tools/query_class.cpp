#include <gantry/data_answer.hpp>

#include "tools/tools.hpp"

namespace query {
namespace {

using gantry::Json;

std::string format_of(const Json& arguments) {
  const auto format = arguments.find("format");
  return format ? format->as_string().value_or("json") : "json";
}

std::string members(std::string_view meta) { return std::string(gantry::members_of(meta)); }

void answer_as_text(const gantry::Data& data, gantry::Call& call, const Json& arguments) {
  const gantry::DataReply reply = data.run(call, "query_text", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured("{" + gantry::class_name_member(arguments) + members(reply.meta) + "}");
}

}  // namespace

void query_class(const gantry::Data& data, gantry::Call& call) {
  const auto parsed = Json::parse(call.arguments());
  const Json arguments = parsed ? *parsed : Json();
  if (format_of(arguments) != "json") return answer_as_text(data, call, arguments);
  (void)call.begin_structured();
  (void)call.raw("{" + gantry::class_name_member(arguments) + "\"results\":");
  const gantry::DataReply reply = data.forward(call, "query", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.raw("," + members(reply.meta) + "}");
  (void)call.end_structured();
}

}  // namespace query
