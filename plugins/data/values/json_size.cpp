#include "values/json_size.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kPart = std::size_t{4} << 10;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t written(const Value& value, JsonDialect dialect) {
  std::string text;
  append_value_json(value, dialect, text);
  return text.size();
}

std::size_t base64_bytes(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// Of UTF-8 text; processed in parts that end between characters.
std::size_t string_bytes(std::string_view text) {
  constexpr std::size_t kQuotes = 2;
  std::size_t bytes = kQuotes;
  std::string part;
  while (!text.empty()) {
    Spending::step_current();
    std::size_t size = std::min(kPart, text.size());
    while (size < text.size() && continues_character(text[size])) ++size;
    const std::string_view next = text.substr(0, size);
    text.remove_prefix(size);
    if (plain_json_bytes(next) == size) {
      bytes += size;
      continue;
    }
    part.clear();
    append_json_string(next, part);
    bytes += part.size() - kQuotes;
  }
  return bytes;
}

// The bytes of the separators between `count` parts and of the brackets.
std::size_t around(std::size_t count) { return 2 + (count == 0 ? 0 : count - 1); }

}  // namespace

std::size_t json_name_bytes(std::string_view name) {
  return is_utf8(name) ? string_bytes(name) : 2;
}

std::size_t json_bytes(const Value& value, JsonDialect dialect) {
  SmallSteps step;
  switch (value.type()) {
    case Value::Type::string:
      if (is_utf8(value.text())) return string_bytes(value.text());
      [[fallthrough]];
    case Value::Type::bytes:
      return written(Value::bytes({}), dialect) + base64_bytes(value.text().size());
    case Value::Type::array: {
      Spending::step_current();
      std::size_t bytes = around(value.elements().size());
      for (const Value& element : value.elements()) {
        step();
        bytes += json_bytes(element, dialect);
      }
      return bytes;
    }
    case Value::Type::object: {
      Spending::step_current();
      std::size_t bytes = around(value.members().size());
      for (const Member& member : value.members()) {
        step();
        bytes += json_name_bytes(member.name) + 1 + json_bytes(member.value, dialect);
      }
      return bytes;
    }
    default:
      return written(value, dialect);
  }
}

}  // namespace gantry::data
