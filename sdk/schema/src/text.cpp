#include "text.hpp"

#include <algorithm>
#include <cstring>

namespace gantry::schema::detail {

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::uint32_t hash_name(std::string_view name) {
  std::uint64_t h = name.size() * 0x9e3779b97f4a7c15U;
  const auto mix = [&](std::uint64_t word) {
    h = (h ^ word) * 0xd6e8feb86659fd93U;
    h ^= h >> 32U;
  };
  std::uint64_t word = 0;
  while (name.size() >= sizeof word) {
    std::memcpy(&word, name.data(), sizeof word);
    mix(word);
    name.remove_prefix(sizeof word);
  }
  word = 0;
  for (const char c : name) word = (word << 8U) | static_cast<unsigned char>(c);
  mix(word);
  return static_cast<std::uint32_t>(h);
}

std::string with_segment(const std::string& pointer, std::string_view segment) {
  std::string out = pointer + '/';
  for (const char c : segment) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace gantry::schema::detail
