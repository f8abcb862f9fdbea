#include "host/base/exact_json.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gantry::host {
namespace {

// A bit for each of 64 bytes, the first one in the lowest bit.
using Bits = std::uint64_t;
constexpr std::size_t kBytes = 64;

struct Marks {
  Bits quotes = 0, escapes = 0, opens = 0, closes = 0;
};

// Brackets and braces differ in this bit alone.
constexpr unsigned char kBrace = '{' ^ '[';
static_assert(('[' | kBrace) == '{' && (']' | kBrace) == '}');

#if defined(__SSE2__)
Marks marks_of(const char* bytes) {
  Marks marks;
  for (std::size_t at = 0; at < kBytes; at += sizeof(__m128i)) {
    const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + at));
    const __m128i braces = _mm_or_si128(part, _mm_set1_epi8(kBrace));
    const auto equal = [at](__m128i some, char byte) {
      const __m128i found = _mm_cmpeq_epi8(some, _mm_set1_epi8(byte));
      return Bits{static_cast<std::uint16_t>(_mm_movemask_epi8(found))} << at;
    };
    marks.quotes |= equal(part, '"');
    marks.escapes |= equal(part, '\\');
    marks.opens |= equal(braces, '{');
    marks.closes |= equal(braces, '}');
  }
  return marks;
}
#else
Marks marks_of(const char* bytes) {
  Marks marks;
  for (std::size_t at = 0; at < kBytes; ++at) {
    const auto brace = static_cast<char>(bytes[at] | kBrace);
    marks.quotes |= Bits{bytes[at] == '"'} << at;
    marks.escapes |= Bits{bytes[at] == '\\'} << at;
    marks.opens |= Bits{brace == '{'} << at;
    marks.closes |= Bits{brace == '}'} << at;
  }
  return marks;
}
#endif

// Counts the levels of one JSON text, block by block.
class Levels {
 public:
  // False: there are too many.
  bool take(const char* bytes) {
    const Marks marks = marks_of(bytes);
    const Bits text = inside_strings(marks.quotes & ~escaped(marks.escapes));
    const Bits closes = marks.closes & ~text;
    for (Bits left = (marks.opens & ~text) | closes; left != 0; left &= left - 1) {
      const Bits lowest = left & (~left + 1);
      if ((closes & lowest) != 0) {
        depth_ -= depth_ > 0 ? 1 : 0;
      } else if (++depth_ > kMaxJsonDepth) {
        return false;
      }
    }
    return true;
  }

 private:
  // The bytes that a backslash stands before, unless it is escaped itself.
  Bits escaped(Bits backslashes) {
    Bits found = is_escaped_ ? 1 : 0;
    is_escaped_ = false;
    for (Bits left = backslashes & ~found; left != 0;) {
      const int at = std::countr_zero(left);
      left &= left - 1;
      if (at + 1 == kBytes) {
        is_escaped_ = true;
      } else {
        found |= Bits{2} << at;
        left &= ~(Bits{2} << at);
      }
    }
    return found;
  }

  // From each opening quote to the byte before the closing one.
  Bits inside_strings(Bits quotes) {
    for (int shift = 1; shift < static_cast<int>(kBytes); shift *= 2) quotes ^= quotes << shift;
    if (is_in_string_) quotes = ~quotes;
    is_in_string_ = (quotes >> (kBytes - 1)) != 0;
    return quotes;
  }

  std::size_t depth_ = 0;
  bool is_in_string_ = false, is_escaped_ = false;
};

}  // namespace

// It runs for every answer, and so examines 64 bytes at a time.
bool nests_too_deep(std::string_view json) {
  Levels levels;
  for (; json.size() >= kBytes; json.remove_prefix(kBytes)) {
    if (!levels.take(json.data())) return true;
  }
  char rest[kBytes] = {};
  std::copy(json.begin(), json.end(), rest);
  return !levels.take(rest);
}

}  // namespace gantry::host
