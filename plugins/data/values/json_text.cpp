#include "values/json_text.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "values/hex.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

// For each byte: 0 if it is literal in a JSON string, 1 if it must be escaped, 2 if it is part of a
// multi-byte character.
constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t c = 0; c < 0x20; ++c) classes[c] = 1;
  classes['"'] = classes['\\'] = 1;
  for (std::size_t c = 0x80; c < 0x100; ++c) classes[c] = 2;
  return classes;
}
constexpr auto kClasses = make_classes();

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

// Non-zero when any of the eight bytes is a quote, a backslash, a control or not ASCII.
std::uint64_t special(std::uint64_t word) {
  const auto has_zero = [](std::uint64_t w) { return (w - kOnes) & ~w & kHighs; };
  return (word & kHighs) | ((word - kOnes * 0x20) & ~word & kHighs) | has_zero(word ^ kOnes * '"') |
         has_zero(word ^ kOnes * '\\');
}

std::uint64_t word_at(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

const char* skip_plain(const char* at, const char* end) {
  const char* const begin = at;
  for (; end - at >= 8; at += 8) {
    if (special(word_at(at))) break;
  }
  // The last bytes are checked as one word of eight that overlaps bytes already checked.
  if (end - at < 8 && end - begin >= 8 && !special(word_at(end - 8))) return end;
  while (at != end && kClasses[static_cast<unsigned char>(*at)] == 0) ++at;
  return at;
}

void append_escaped(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  out += "\\u00";
  append_hex({&c, 1}, out);
}

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

// Writes numbers of at most three decimals, as most amounts are. Two decimals of at most 15 digits
// never round to the same double, so the decimal that reads back as `value` is the shortest one.
// Null: not such a number, or one that is shorter with an exponent.
char* write_short_decimal(double value, char* to) {
  constexpr double kMost = 1e12;
  const double size = std::fabs(value);
  if (!(size >= 1 && size < kMost)) return nullptr;
  const auto thousandths = static_cast<std::int64_t>(size * 1000 + 0.5);
  if (static_cast<double>(thousandths) / 1000 != size) return nullptr;
  const std::int64_t whole = thousandths / 1000;
  auto rest = static_cast<int>(thousandths % 1000);
  constexpr std::int64_t kNeverShorter = 100'000;
  if (rest == 0 && whole >= kNeverShorter && whole % 10 == 0) return nullptr;
  if (value < 0) *to++ = '-';
  to = std::to_chars(to, to + kMostOfANumber / 2, whole).ptr;
  *to++ = '.';
  *to++ = static_cast<char>('0' + rest / 100);
  for (rest = rest % 100 * 10; rest != 0; rest = rest % 100 * 10) {
    *to++ = static_cast<char>('0' + rest / 100);
  }
  return to;
}

// Stops parsing a text that is nested too deeply.
struct LevelsHandler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, LevelsHandler> {
  explicit LevelsHandler(std::size_t most_levels) : most(most_levels) {}
  bool StartObject() { return ++levels <= most; }
  bool StartArray() { return ++levels <= most; }
  bool EndObject(rapidjson::SizeType) { return --levels, true; }
  bool EndArray(rapidjson::SizeType) { return --levels, true; }
  const std::size_t most;
  std::size_t levels = 0;
};

}  // namespace

bool append_json_string(std::string_view text, std::string& out) {
  const std::size_t start = out.size();
  const char* at = text.data();
  const char* const end = at + text.size();
  out += '"';
  while (at != end) {
    const char* plain = skip_plain(at, end);
    out.append(at, static_cast<std::size_t>(plain - at));
    at = plain;
    if (at == end) break;
    if (kClasses[static_cast<unsigned char>(*at)] == 1) {
      append_escaped(*at++, out);
      continue;
    }
    const std::size_t length = utf8_length(at, end);
    if (length == 0) return out.resize(start), false;
    out.append(at, length);
    at += length;
  }
  out += '"';
  return true;
}

std::string quoted_json(std::string_view text) {
  std::string json;
  if (!append_json_string(text, json)) json = "\"?\"";
  return json;
}

std::size_t plain_json_bytes(std::string_view text) {
  return static_cast<std::size_t>(skip_plain(text.data(), text.data() + text.size()) - text.data());
}

char* write_json_integer(std::int64_t value, char* to) {
  return std::to_chars(to, to + kMostOfANumber, value).ptr;
}

char* write_json_double(double value, char* to) {
  if (char* const end = write_short_decimal(value, to)) return end;
  if (std::isnan(value)) return put(to, "\"NaN\"");
  if (std::isinf(value)) return put(to, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  char* const end = std::to_chars(to, to + kMostOfANumber, value).ptr;
  const bool is_plain = std::none_of(to, end, [](char c) { return c == '.' || c == 'e'; });
  return is_plain ? put(end, ".0") : end;
}

void append_json_integer(std::int64_t value, std::string& out) {
  char buffer[kMostOfANumber];
  out.append(buffer, write_json_integer(value, buffer));
}

void append_json_double(double value, std::string& out) {
  char buffer[kMostOfANumber];
  out.append(buffer, write_json_double(value, buffer));
}

void append_json_verbatim(std::string_view json, std::string& out) {
  const std::size_t start = out.size();
  out += json;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(start), out.end(),
      [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

void append_base64(std::string_view bytes, std::string& out) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += have > 1 ? kDigits[group >> 6 & 63] : '=';
    out += have > 2 ? kDigits[group & 63] : '=';
  }
}

bool begins_as_json(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
  return first != text.end() && (*first == '{' || *first == '[');
}

JsonShape json_shape(std::string_view text, std::size_t most_levels) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return JsonShape::none;
  using namespace rapidjson;
  constexpr unsigned kFlags =
      kParseIterativeFlag | kParseValidateEncodingFlag | kParseNumbersAsStringsFlag;
  MemoryStream stream(text.data(), text.size());
  LevelsHandler levels(most_levels);
  rapidjson::Reader reader;
  if (text.find('\0') != std::string_view::npos || !reader.Parse<kFlags>(stream, levels)) {
    return JsonShape::none;
  }
  return text[first] == '{'   ? JsonShape::object
         : text[first] == '[' ? JsonShape::array
                              : JsonShape::scalar;
}

}  // namespace gantry::data
