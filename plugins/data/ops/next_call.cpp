#include "ops/next_call.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "ops/normalized.hpp"

namespace gantry::data {
namespace {

using NextCallOut = rapidjson::Writer<rapidjson::StringBuffer>;

void write_key(NextCallOut& out, std::string_view name) {
  out.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

bool is_among(const std::vector<NextArgument>& some, const rapidjson::Value& name) {
  const std::string_view text(name.GetString(), name.GetStringLength());
  return std::any_of(some.begin(), some.end(),
                     [&](const NextArgument& one) { return one.name == text; });
}

}  // namespace

std::string next_call(std::string_view tool, const rapidjson::Value& arguments,
                      const std::vector<NextArgument>& instead) {
  rapidjson::StringBuffer text;
  NextCallOut out(text);
  out.StartObject();
  write_key(out, "tool");
  out.String(tool.data(), static_cast<rapidjson::SizeType>(tool.size()));
  write_key(out, "arguments");
  out.StartObject();
  for (const JsonMember it : in_order(arguments)) {
    if (is_among(instead, it->name)) continue;
    it->name.Accept(out);
    it->value.Accept(out);
  }
  for (const NextArgument& one : instead) {
    write_key(out, one.name);
    out.RawValue(one.json.data(), one.json.size(), rapidjson::kObjectType);
  }
  out.EndObject();
  out.EndObject();
  return {text.GetString(), text.GetSize()};
}

}  // namespace gantry::data
