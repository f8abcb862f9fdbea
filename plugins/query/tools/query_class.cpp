#include <cstdint>

#include <gantry/data_answer.hpp>

#include "core/next_call.hpp"
#include "tools/tools.hpp"

namespace query {
namespace {

using gantry::Json;

std::string format_of(const Json& arguments) {
  const auto format = arguments.find("format");
  return format ? format->as_string().value_or("json") : "json";
}

// The page that `meta` describes.
struct Page {
  std::int64_t limit = 0, skip = 0;
  bool has_more = false, is_truncated = false;
};

Page page_of(const std::string& meta) {
  Page page;
  const auto parsed = Json::parse(meta);
  if (!parsed) return page;
  for (const auto& [name, value] : parsed->members()) {
    if (name == "_truncated") page.is_truncated = true;
    if (name != "pagination") continue;
    for (const auto& [part, number] : value.members()) {
      if (part == "limit") page.limit = number.as_integer().value_or(0);
      if (part == "skip") page.skip = number.as_integer().value_or(0);
      if (part == "has_more") page.has_more = number.as_bool().value_or(false);
    }
  }
  return page;
}

// `,"next_call":{…}` if there are more rows and the page is complete; else empty.
std::string next_call_member(const Json& arguments, const std::string& meta) {
  const Page page = page_of(meta);
  if (!page.has_more || page.is_truncated) return {};
  return ",\"next_call\":" + next_call(arguments.text(), page.limit, page.skip + page.limit);
}

std::string members(std::string_view meta) { return std::string(gantry::members_of(meta)); }

void answer_as_text(const gantry::Data& data, gantry::Call& call, const Json& arguments) {
  const gantry::DataReply reply = data.run(call, "query_text", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  (void)call.structured("{" + gantry::class_name_member(arguments) + members(reply.meta) +
                        next_call_member(arguments, reply.meta) + "}");
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
  (void)call.raw("," + members(reply.meta) + next_call_member(arguments, reply.meta) + "}");
  (void)call.end_structured();
}

}  // namespace query
