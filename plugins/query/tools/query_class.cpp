#include <gantry/data_answer.hpp>

#include "tools/tools.hpp"

namespace query {
namespace {

using gantry::Json;

std::string format_of(const Json& arguments) {
  const auto format = arguments.find("format");
  return format ? format->as_string().value_or("json") : "json";
}

}  // namespace

void query_class(const gantry::Data& data, gantry::Call& call) {
  const auto parsed = Json::parse(call.arguments());
  const bool is_json = format_of(parsed ? *parsed : Json()) == "json";
  gantry::answer_with_data(data, call, is_json ? "query" : "query_text", "results");
}

}  // namespace query
