#include "core/next_call.hpp"

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace query {

std::string next_call(std::string_view arguments, std::int64_t limit, std::int64_t next_skip) {
  std::string text;
  gantry::JsonWriter out(text);
  out.begin_object().key("tool").string("query_class").key("arguments").begin_object();
  if (const auto parsed = gantry::Json::parse(arguments)) {
    for (const auto& [name, value] : parsed->members()) {
      if (name != "skip" && name != "limit") out.key(name).raw(value.text());
    }
  }
  out.key("limit").number(limit).key("skip").number(next_skip);
  out.end_object().end_object();
  return text;
}

}  // namespace query
