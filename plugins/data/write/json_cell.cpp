#include "write/json_cell.hpp"

#include <utility>

#include <rapidjson/document.h>

#include "values/json_text.hpp"
#include "write/special.hpp"

namespace gantry::data::write {
namespace {

using Json = rapidjson::Value;

void append(const Json& json, std::string& out);

void append_text(const Json& json, std::string& out) {
  append_json_string({json.GetString(), json.GetStringLength()}, out);
}

void append_number(const Json& json, std::string& out) {
  if (json.IsInt64()) {
    append_json_integer(json.GetInt64(), out);
  } else if (json.IsUint64()) {
    out += std::to_string(json.GetUint64());
  } else {
    append_json_double(json.GetDouble(), out);
  }
}

void append_members(const Json& json, std::string& out) {
  out += '{';
  const char* separator = "";
  for (const auto& [name, value] : json.GetObject()) {
    out += std::exchange(separator, ",");
    append_text(name, out);
    out += ':';
    append(value, out);
  }
  out += '}';
}

void append_elements(const Json& json, std::string& out) {
  out += '[';
  const char* separator = "";
  for (const Json& element : json.GetArray()) {
    out += std::exchange(separator, ",");
    append(element, out);
  }
  out += ']';
}

void append(const Json& json, std::string& out) {
  if (json.IsObject()) return append_members(json, out);
  if (json.IsArray()) return append_elements(json, out);
  if (json.IsString()) return append_text(json, out);
  if (json.IsNumber()) return append_number(json, out);
  out += json.IsTrue() ? "true" : json.IsFalse() ? "false" : "null";
}

Cell number_of(const Json& json) {
  Cell cell;
  if (json.IsInt64()) {
    cell.type = Cell::Type::integer;
    cell.integer = json.GetInt64();
  } else if (json.IsUint64()) {
    cell.type = Cell::Type::big_number;
    cell.text = std::to_string(json.GetUint64());
  } else {
    cell.type = Cell::Type::real;
    cell.real = json.GetDouble();
  }
  return cell;
}

}  // namespace

std::string json_text_of(const Json& json) {
  std::string text;
  append(json, text);
  return text;
}

Cell cell_of(const Json& json) {
  Cell cell;
  if (json.IsNull()) return cell;
  if (json.IsNumber()) return number_of(json);
  if (json.IsBool()) {
    cell.type = Cell::Type::boolean;
    cell.integer = json.GetBool() ? 1 : 0;
  } else if (json.IsString()) {
    cell.type = Cell::Type::text;
    cell.text.assign(json.GetString(), json.GetStringLength());
  } else {
    cell.type = Cell::Type::nested;
    cell.text = json_text_of(json);
    if (json.IsObject()) read_special(cell);
  }
  return cell;
}

}  // namespace gantry::data::write
