#include "sdk/contract/json_text.hpp"

#include <cstddef>
#include <cstring>

#include "sdk/contract/plain_length.hpp"
#include "sdk/contract/text.hpp"

namespace gantry::contract {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the well-formed UTF-8 sequence at the front, which is no ASCII; 0 if there is none
// (Unicode table 3-7).
std::size_t sequence_at(std::string_view text) {
  const auto* const p = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t left = text.size();
  const auto tail = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return i < left && p[i] >= low && p[i] <= high;
  };
  if (p[0] >= 0xC2 && p[0] <= 0xDF) return tail(1) ? 2 : 0;
  if (p[0] >= 0xE0 && p[0] <= 0xEF) {
    const unsigned char low = p[0] == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = p[0] == 0xED ? 0x9F : 0xBF;
    return tail(1, low, high) && tail(2) ? 3 : 0;
  }
  if (p[0] >= 0xF0 && p[0] <= 0xF4) {
    const unsigned char low = p[0] == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = p[0] == 0xF4 ? 0x8F : 0xBF;
    return tail(1, low, high) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

// The second byte of an escape of two; 0: there is none.
char short_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return 0;
  }
}

// Text that is appended a block at a time: between quotes there are few bytes, and an append of
// each run would cost more than its bytes.
class Block {
 public:
  explicit Block(std::string& out) : out_(out) {}

  // Appends the plain bytes at the front of `text`, and returns their number.
  std::size_t plain(std::string_view text) {
    std::size_t at = 0;
    while (text.size() - at >= 8) {
      make_room();
      // Those from the first special one on are overwritten.
      std::memcpy(bytes_ + size_, text.data() + at, 8);
      const std::size_t plain = plain_of_eight(text.data() + at);
      at += plain;
      size_ += plain;
      if (plain < 8) return at;
    }
    make_room();
    while (at < text.size() && is_plain(text[at])) bytes_[size_++] = text[at++];
    return at;
  }
  void add(std::string_view few) {
    make_room();
    for (const char c : few) bytes_[size_++] = c;
  }
  void escape(char c) {
    if (const char second = short_escape(c)) {
      make_room();
      bytes_[size_++] = '\\';
      bytes_[size_++] = second;
      return;
    }
    flush();
    append_escape(out_, static_cast<unsigned char>(c));
  }
  // To be called at the end.
  void flush() {
    out_.append(bytes_, size_);
    size_ = 0;
  }

 private:
  void make_room() {
    if (sizeof bytes_ - size_ < 8) flush();
  }

  std::string& out_;
  char bytes_[1024];
  std::size_t size_ = 0;
};

}  // namespace

void append_escape(std::string& out, std::uint32_t point) {
  if (point > 0xFFFF) {
    append_escape(out, 0xD800 + ((point - 0x10000) >> 10));
    return append_escape(out, 0xDC00 + ((point - 0x10000) & 0x3FF));
  }
  const char bytes[] = {static_cast<char>(point >> 8), static_cast<char>(point & 255)};
  out.append("\\u").append(to_hex({bytes, sizeof bytes}));
}

void append_json_string(std::string& out, std::string_view text) {
  out.reserve(out.size() + text.size() + 2);
  out += '"';
  Block block(out);
  for (std::string_view rest = text;;) {
    rest.remove_prefix(block.plain(rest));
    if (rest.empty()) break;
    if (static_cast<unsigned char>(rest.front()) < 0x80) {
      block.escape(rest.front());
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t length = sequence_at(rest);
    block.add(length > 0 ? rest.substr(0, length) : kReplacement);
    rest.remove_prefix(length > 0 ? length : 1);
  }
  block.flush();
  out += '"';
}

void append_name(std::string& json, std::string_view name) {
  if (!json.empty() && json.back() != '{') json += ',';
  append_json_string(json, name);
  json += ':';
}

void append_text_member(std::string& json, std::string_view name, std::string_view text) {
  append_name(json, name);
  append_json_string(json, text);
}

void append_json_member(std::string& json, std::string_view name, std::string_view value) {
  append_name(json, name);
  json += value;
}

void append_compact(std::string& out, std::string_view json) {
  out.reserve(out.size() + json.size());
  bool in_string = false, escaped = false;
  for (const char c : json) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (in_string || !blank) out += c;
    if (c == '"' && !escaped) in_string = !in_string;
    escaped = in_string && c == '\\' && !escaped;
  }
}

}  // namespace gantry::contract
