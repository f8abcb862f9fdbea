#include "ops/next_call.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry::data {

std::string next_call(std::string_view request, std::int64_t limit, std::int64_t next_skip) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("tool").string("query_class").key("arguments").begin_object();
  const auto parsed = Json::parse(request);
  if (const auto arguments = parsed ? parsed->find("args") : std::nullopt) {
    for (const auto& [name, value] : arguments->members()) {
      if (name != "skip" && name != "limit") out.key(name).raw(value.text());
    }
  }
  out.key("limit").number(limit).key("skip").number(next_skip);
  out.end_object().end_object();
  return text;
}

}  // namespace gantry::data
