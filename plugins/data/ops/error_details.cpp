#include "ops/error_details.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace gantry::data {

std::string error_details(const DataError& error) {
  if (!error.details_json.empty()) return error.details_json;
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  const auto text = [&](const std::string& value) {
    json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  const auto member = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    json.Key(name);
    text(value);
  };
  json.StartObject();
  member("kind", error.kind);
  member("denied_field", error.denied_field);
  if (!error.allowed_fields.empty()) {
    json.Key("allowed_fields");
    json.StartArray();
    for (const std::string& field : error.allowed_fields) text(field);
    json.EndArray();
  }
  member("suggested_rewrite", error.suggested_rewrite);
  json.EndObject();
  const std::string details(buffer.GetString(), buffer.GetSize());
  return details == "{}" ? std::string() : details;
}

}  // namespace gantry::data
