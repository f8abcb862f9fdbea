#include "where/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <stdexcept>

#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

constexpr std::uint32_t kDepthLimit = 10'000;
constexpr std::uint32_t kHeapLimit = 20'000;  // KiB of one match

std::uint32_t option_bit(char letter) {
  switch (letter) {
    case 'i':
      return PCRE2_CASELESS;
    case 'm':
      return PCRE2_MULTILINE;
    case 's':
      return PCRE2_DOTALL;
    case 'x':
      return PCRE2_EXTENDED;
    case 'u':
      return 0;
    default:
      break;
  }
  refuse("$options knows i, m, s, x and u; '" + std::string(1, letter) + "' is none of them.");
}

std::uint32_t option_bits(std::string_view options) {
  // \w, \d and \b are about ASCII, as in MongoDB; a pattern that begins with (*UCP) says otherwise.
  std::uint32_t bits = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
  for (const char letter : options) bits |= option_bit(letter);
  return bits;
}

std::string message_of(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

pcre2_match_context* make_limits() {
  pcre2_match_context* limits = pcre2_match_context_create(nullptr);
  if (limits == nullptr) throw std::bad_alloc();
  pcre2_set_match_limit(limits, Regex::kMatchLimit);
  pcre2_set_depth_limit(limits, kDepthLimit);
  pcre2_set_heap_limit(limits, kHeapLimit);
  return limits;
}

bool is_meta(char c) {
  return std::string_view(".^$|()[]{}*+?\\").find(c) != std::string_view::npos;
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void drop_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
    text.pop_back();
  }
  if (!text.empty()) text.pop_back();
}

}  // namespace

void Regex::FreeCode::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

void Regex::FreeLimits::operator()(void* limits) const {
  pcre2_match_context_free(static_cast<pcre2_match_context*>(limits));
}

Regex::Regex(std::string_view pattern, std::string_view options) : limits_(make_limits()) {
  if (pattern.size() > kMaxPattern) {
    refuse("A $regex has at most " + std::to_string(kMaxPattern) + " bytes.");
  }
  if (pattern.find('\0') != std::string_view::npos) {
    refuse("A $regex cannot hold a zero byte; write \\x00 for one.");
  }
  int error = 0;
  PCRE2_SIZE place = 0;
  // PCRE2 of this generation reads a null pointer even of an empty pattern.
  const char* begin = pattern.empty() ? "" : pattern.data();
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(begin), pattern.size(),
                                   option_bits(options), &error, &place, nullptr);
  if (code == nullptr) {
    refuse("The $regex is not valid at byte " + std::to_string(place) + ": " + message_of(error) +
           ".");
  }
  code_.reset(code);
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without it matching is slower, not different
  if (options.find_first_of("imx") == std::string_view::npos) read_prefix(pattern);
}

int Regex::run(std::string_view text, std::uint32_t options) const {
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  if (data == nullptr) throw std::bad_alloc();
  const int result = pcre2_match(static_cast<const pcre2_code*>(code_.get()),
                                 reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, options,
                                 data, static_cast<pcre2_match_context*>(limits_.get()));
  pcre2_match_data_free(data);
  return result;
}

bool Regex::found_in(std::string_view text) const {
  if (text.data() == nullptr) text = "";
  int result = run(text, 0);
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = run(text, PCRE2_NO_JIT);
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  throw std::runtime_error("The $regex exceeds the match limit of " + std::to_string(kMatchLimit) +
                           " steps (" + message_of(result) +
                           "). Write a pattern with less backtracking.");
}

void Regex::read_prefix(std::string_view pattern) {
  if (pattern.empty() || pattern.front() != '^') return;
  // An alternative need not begin as the first one does.
  if (pattern.find('|') != std::string_view::npos) return;
  std::size_t at = 1;
  while (at < pattern.size()) {
    const bool escaped = pattern[at] == '\\';
    if (escaped && (at + 1 == pattern.size() || is_word(pattern[at + 1]))) break;
    if (!escaped && is_meta(pattern[at])) break;
    if (escaped) ++at;
    prefix_ += pattern[at++];
  }
  const std::string_view rest = pattern.substr(at);
  if (!rest.empty() && std::string_view("*?{").find(rest.front()) != std::string_view::npos) {
    drop_last_character(prefix_);  // what is counted may be absent
  }
  prefix_is_all_ = rest.empty() || rest == ".*";
}

}  // namespace gantry::data::where
