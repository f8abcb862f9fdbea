#include "ops/next_call.hpp"

#include <algorithm>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry::data {

std::string next_call(std::string_view tool, std::string_view request,
                      const std::vector<NextArgument>& instead) {
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("tool").string(tool).key("arguments").begin_object();
  const auto parsed = Json::parse(request);
  if (const auto arguments = parsed ? parsed->find("args") : std::nullopt) {
    for (const auto& [name, value] : arguments->members()) {
      const bool is_replaced =
          std::any_of(instead.begin(), instead.end(),
                      [&name = name](const NextArgument& one) { return one.name == name; });
      if (!is_replaced) out.key(name).raw(value.text());
    }
  }
  for (const NextArgument& one : instead) out.key(one.name).raw(one.json);
  out.end_object().end_object();
  return text;
}

}  // namespace gantry::data
