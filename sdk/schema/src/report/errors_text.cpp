// Values, kinds and paths as text; explain().
#include <array>
#include <charconv>

#include <gantry/schema/error.hpp>

#include "report/sink.hpp"
#include "text.hpp"

namespace gantry::schema {

std::string explain(std::span<const Error> errors, std::string_view root) {
  std::string out;
  for (const Error& error : errors) {
    if (!out.empty()) out += "; ";
    out += error.path.empty() ? root : std::string_view(error.path);
    (out += ": ") += error.message;
  }
  return out;
}

namespace detail {
namespace {

constexpr std::size_t kQuoted = 40;

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '$';
    if (!plain) return false;
  }
  return true;
}

// From the root inwards.
std::vector<const Path*> segments(const Path* path) {
  std::vector<const Path*> out;
  for (; path != nullptr; path = path->up) out.insert(out.begin(), path);
  return out;
}

const char* kind_name(const Json& value) {
  constexpr std::array<const char*, 7> kNames{"null",  "boolean", "boolean", "object",
                                              "array", "string",  "number"};
  return kNames[value.GetType()];
}

}  // namespace

std::string pointer_of(const Path* path) {
  std::string out;
  for (const Path* at : segments(path)) {
    out = with_segment(out, at->is_name ? at->name : std::to_string(at->position));
  }
  return out;
}

std::string readable_path(const Path* path) {
  std::string out;
  for (const Path* at : segments(path)) {
    if (!at->is_name) {
      out += "[" + std::to_string(at->position) + "]";
    } else if (is_plain_name(at->name)) {
      (out += out.empty() ? "" : ".") += at->name;
    } else {
      out += "[" + quoted(clipped(at->name, 60)) + "]";
    }
  }
  return out;
}

std::string clipped(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  // Moves back to the beginning of a code point.
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80U) --bytes;
  return std::string(text.substr(0, bytes)) + "...";
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string value_text(const Json& value, bool secret) {
  switch (value.GetType()) {
    case rapidjson::kArrayType:
      return "array of " + counted(value.Size(), "item", "items");
    case rapidjson::kObjectType:
      return "object";
    case rapidjson::kStringType: {
      const std::string_view text = view(value);
      if (!secret && text.size() <= kQuoted) return quoted(text);
      return "string of " + counted(code_points(text), "character", "characters");
    }
    case rapidjson::kNumberType:
      return secret ? "number" : Number::of(value).text();
    case rapidjson::kNullType:
      return "null";
    default:
      return secret ? "boolean" : (value.IsTrue() ? "true" : "false");
  }
}

std::string value_with_kind(const Json& value, bool secret) {
  const std::string text = value_text(value, secret);
  const bool says_kind = text.starts_with(kind_name(value));
  return says_kind ? text : std::string(kind_name(value)) + " " + text;
}

std::string types_text(std::uint8_t types) {
  constexpr std::array<const char*, 7> kNames{"null",   "boolean", "integer", "number",
                                              "string", "array",   "object"};
  std::string out;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit) {
    if ((types >> bit & 1) != 0) (out += out.empty() ? "" : " or ") += kNames[bit];
  }
  return out;
}

}  // namespace detail
}  // namespace gantry::schema
