#include "tables/cell.hpp"

#include <algorithm>
#include <array>

namespace gantry::data {
namespace {

void append_string(const Json& value, std::string& out) {
  const std::string_view quoted = value.text();
  if (quoted.find('\\') != std::string_view::npos) {
    out += *value.as_string();
  } else {
    out += quoted.substr(1, quoted.size() - 2);
  }
}

// Extended JSON: {"$date":"…"}, {"$numberLong":"…"}.
std::optional<Json> extended_member(const Json& object) {
  for (const char* name : {"$date", "$numberLong", "$numberDouble", "$numberInt", "$oid"}) {
    if (const auto member = object.find(name)) return member;
  }
  return std::nullopt;
}

// The member that represents a pointer, a date or a number, or nothing.
std::optional<Json> shown_member(const Json& object) {
  if (object.text().starts_with("{\"$")) {
    const auto member = extended_member(object);
    return member && member->is_string() ? member : std::nullopt;
  }
  const auto type = object.find("__type");
  const std::string_view kind = type ? type->text() : std::string_view();
  const char* name = kind == "\"Pointer\"" ? "objectId" : kind == "\"Date\"" ? "iso" : nullptr;
  const auto member = name != nullptr ? object.find(name) : std::nullopt;
  return member && member->is_string() ? member : std::nullopt;
}

constexpr std::array<bool, 256> kQuoted = [] {
  std::array<bool, 256> quoted{};
  for (const unsigned char c : {',', '"', '\r', '\n'}) quoted[c] = true;
  return quoted;
}();

bool needs_quotes(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return kQuoted[static_cast<unsigned char>(c)]; });
}

}  // namespace

void append_cell_text(const Json& value, std::string& out) {
  if (value.is_null()) return;
  if (value.is_string()) return append_string(value, out);
  if (value.is_object()) {
    if (const auto member = shown_member(value)) return append_string(*member, out);
  }
  out += value.text();
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

void append_csv_cell(std::string_view text, std::string& out) {
  const std::size_t begin = out.size();
  out += text;
  quote_csv_cell(begin, out);
}

void quote_csv_cell(std::size_t begin, std::string& out) {
  const std::string_view text = std::string_view(out).substr(begin);
  if (!needs_quotes(text)) return;
  const auto quotes = std::count(text.begin(), text.end(), '"');
  // The text is appended at the end, then rotated to its place.
  std::size_t from = out.size();
  out.resize(from + static_cast<std::size_t>(quotes) + 2);
  std::size_t to = out.size();
  out[--to] = '"';
  while (from > begin) {
    const char c = out[--from];
    out[--to] = c;
    if (c == '"') out[--to] = c;
  }
  out[begin] = '"';
}

void append_markdown_cell(const std::string& text, std::string& out) {
  for (const char c : one_line(text)) {
    if (c == '|' || c == '\\') out += '\\';
    out += c;
  }
}

}  // namespace gantry::data
