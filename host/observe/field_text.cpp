#include "host/observe/field_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "host/base/json.hpp"

namespace gantry::host {
namespace {

void append_real(std::string& out, double value) {
  constexpr double kMost = 1e15;  // larger values need no thousandths
  char text[32];
  const double shown = std::isfinite(value) ? std::clamp(value, -kMost, kMost) : 0.0;
  out.append(text, std::to_chars(text, std::end(text), shown, std::chars_format::fixed, 3).ptr);
}

}  // namespace

void append_value(std::string& out, const Field& field) {
  switch (field.kind) {
    case Field::Kind::text:
      append_json_string(out, field.text);
      return;
    case Field::Kind::integer:
      out += std::to_string(field.integer);
      return;
    case Field::Kind::real:
      append_real(out, field.real);
      return;
    case Field::Kind::boolean:
      out += field.integer != 0 ? "true" : "false";
      return;
    case Field::Kind::raw:
      out += field.text;
      return;
  }
}

void append_members(std::string& out, std::span<const Field> fields) {
  for (const Field& field : fields) {
    out += ',';
    append_json_string(out, field.key);
    out += ':';
    append_value(out, field);
  }
}

}  // namespace gantry::host
