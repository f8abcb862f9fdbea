#include "host/rpc/lists/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>

#include "host/base/json.hpp"
#include "host/base/text.hpp"

namespace gantry::host::rpc {
namespace {

// The text inside: "after SIZE NAME", then marks of the names before it, the nearest first, a
// count of them in front, and marks of the names behind it.
constexpr std::string_view kPrefix = "after ";
constexpr std::size_t kBehind = 8, kMarkBytes = 4;

// FNV-1a: equal in every process and version, because clients keep cursors.
std::uint32_t mark_of(std::string_view name) {
  std::uint32_t mark = 2166136261u;
  for (const char c : name) mark = (mark ^ static_cast<unsigned char>(c)) * 16777619u;
  return mark;
}

void append_fixed(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(number >> shift & 0xff);
}

std::uint32_t take_fixed(std::string_view& text) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < kMarkBytes; ++i) {
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << 8 * i;
  }
  text.remove_prefix(kMarkBytes);
  return number;
}

struct Cursor {
  std::string_view name;
  std::vector<std::uint32_t> before, behind;
};

std::optional<Cursor> parse_cursor(std::string_view text) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool named = error == std::errc() && end != text.data() + text.size() && *end == ' ';
  if (!named) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  if (text.size() < size || text.size() - size < kMarkBytes) return std::nullopt;
  Cursor out{text.substr(0, size), {}, {}};
  text.remove_prefix(size);
  const std::size_t before = take_fixed(text);
  if (text.size() % kMarkBytes != 0 || text.size() / kMarkBytes < before) return std::nullopt;
  while (out.before.size() < before) out.before.push_back(take_fixed(text));
  while (!text.empty()) out.behind.push_back(take_fixed(text));
  return out;
}

// The place to continue from if the last sent name no longer exists.
std::size_t place_around(const Cursor& cursor, const std::vector<std::string>& names) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(mark_of(names[i]), i);
  for (const std::uint32_t mark : cursor.before) {
    if (const auto found = places.find(mark); found != places.end()) return found->second + 1;
  }
  for (const std::uint32_t mark : cursor.behind) {
    if (const auto found = places.find(mark); found != places.end()) return found->second;
  }
  return 0;
}

}  // namespace

std::string make_cursor(const std::vector<std::string>& names, std::size_t first,
                        std::size_t last) {
  std::string text(kPrefix);
  text += std::to_string(names[last].size()) + ' ' + names[last];
  append_fixed(text, static_cast<std::uint32_t>(last - first));
  for (std::size_t i = last; i-- > first;) append_fixed(text, mark_of(names[i]));
  const std::size_t end = std::min(names.size(), last + 1 + kBehind);
  for (std::size_t i = last + 1; i < end; ++i) append_fixed(text, mark_of(names[i]));
  std::string out;
  append_base64(out, text);
  return out;
}

std::optional<std::size_t> place_of_cursor(std::string_view cursor,
                                           const std::vector<std::string>& names) {
  const auto text = from_base64(cursor);
  const auto read = text ? parse_cursor(*text) : std::nullopt;
  if (!read) return std::nullopt;
  const auto found = std::find(names.begin(), names.end(), read->name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin()) + 1;
  return place_around(*read, names);
}

}  // namespace gantry::host::rpc
