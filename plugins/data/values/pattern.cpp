#include "values/pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <utility>

#include "values/query_error.hpp"

namespace gantry::data {
namespace {

constexpr std::uint32_t kDepthLimit = 10'000;
constexpr std::uint32_t kHeapLimit = 20'000;  // KiB of one match

// -1 for a letter that is no option.
std::int64_t option_bit(char letter) {
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
      return -1;
  }
}

std::uint32_t option_bits(std::string_view options, const Pattern::Names& names) {
  // \w, \d and \b are about ASCII, as in MongoDB; a pattern that begins with (*UCP) says otherwise.
  std::uint32_t bits = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C;
  for (const char letter : options) {
    const std::int64_t bit = option_bit(letter);
    if (bit < 0) {
      const bool visible = letter > ' ' && letter < '\x7f';
      throw QueryError(names.options + " knows i, m, s, x and u; " +
                       (visible ? "'" + std::string(1, letter) + "'" : "another character") +
                       " is none of them.");
    }
    bits |= static_cast<std::uint32_t>(bit);
  }
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
  pcre2_set_match_limit(limits, Pattern::kMatchLimit);
  pcre2_set_depth_limit(limits, kDepthLimit);
  pcre2_set_heap_limit(limits, kHeapLimit);
  return limits;
}

// PCRE2 of this generation reads a null pointer even of an empty text.
PCRE2_SPTR begin_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
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

void Pattern::FreeCode::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

void Pattern::FreeLimits::operator()(void* limits) const {
  pcre2_match_context_free(static_cast<pcre2_match_context*>(limits));
}

Pattern::Pattern(std::string_view pattern, std::string_view options)
    : Pattern(pattern, options, Names{}, Subject::bytes) {}

Pattern::Pattern(std::string_view pattern, std::string_view options, Names names, Subject subject)
    : names_(std::move(names)), subject_(subject), limits_(make_limits()) {
  if (pattern.size() > kMaxPattern) {
    throw QueryError(names_.pattern + " is too long: at most " + std::to_string(kMaxPattern) +
                     " bytes.");
  }
  if (pattern.find('\0') != std::string_view::npos) {
    throw QueryError(names_.pattern + " cannot hold a zero byte; write \\x00 for one.");
  }
  compile(pattern, options);
  if (options.find_first_of("imx") == std::string_view::npos) read_prefix(pattern);
}

void Pattern::compile(std::string_view pattern, std::string_view options) {
  std::uint32_t bits = option_bits(options, names_);
  if (subject_ == Subject::bytes) bits |= PCRE2_MATCH_INVALID_UTF;
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code =
      pcre2_compile(begin_of(pattern), pattern.size(), bits, &error, &place, nullptr);
  if (code == nullptr) {
    throw QueryError(names_.pattern + " is not valid at byte " + std::to_string(place) + ": " +
                     message_of(error) + ".");
  }
  code_.reset(code);
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without it matching is slower, not different
}

bool Pattern::run(std::string_view text, std::size_t from, void* data) const {
  const std::uint32_t known = subject_ == Subject::utf8 ? PCRE2_NO_UTF_CHECK : 0;
  const auto match = [&](std::uint32_t options) {
    return pcre2_match(static_cast<const pcre2_code*>(code_.get()), begin_of(text), text.size(),
                       from, known | options, static_cast<pcre2_match_data*>(data),
                       static_cast<pcre2_match_context*>(limits_.get()));
  };
  int result = match(0);
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = match(PCRE2_NO_JIT);
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  throw QueryError(names_.pattern + " exceeds the match limit of " + std::to_string(kMatchLimit) +
                   " steps (" + message_of(result) + "). Write a pattern with less backtracking.");
}

bool Pattern::found_in(std::string_view text) const {
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  if (data == nullptr) throw std::bad_alloc();
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> owner(
      data, &pcre2_match_data_free);
  return run(text, 0, data);
}

void Pattern::read_prefix(std::string_view pattern) {
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

void PatternSearch::FreeData::operator()(void* data) const {
  pcre2_match_data_free(static_cast<pcre2_match_data*>(data));
}

PatternSearch::PatternSearch(const Pattern& pattern, std::string_view text)
    : pattern_(pattern), text_(text) {
  const auto* code = static_cast<const pcre2_code*>(pattern.code_.get());
  std::uint32_t groups = 0;
  pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
  groups_ = groups;
  data_.reset(pcre2_match_data_create_from_pattern(code, nullptr));
  if (data_ == nullptr) throw std::bad_alloc();
}

bool PatternSearch::find(std::size_t from) { return pattern_.run(text_, from, data_.get()); }

PatternSearch::Span PatternSearch::group(std::size_t index) const {
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(static_cast<pcre2_match_data*>(data_.get()));
  if (ends[2 * index] == PCRE2_UNSET) return {};
  return {ends[2 * index], ends[2 * index + 1]};
}

}  // namespace gantry::data
