#include "values/pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <new>
#include <utility>

#include "errors/query_error.hpp"
#include "values/ascii.hpp"
#include "values/spending.hpp"

namespace gantry::data {
namespace {

constexpr std::uint32_t kDepthLimit = 10'000;
constexpr std::uint32_t kHeapLimit = 20'000;  // KiB of one match

// -1 for an unknown option letter.
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
  // \w, \d and \b match ASCII only, as in MongoDB; a pattern that begins with (*UCP) changes that.
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

// Exceptions must not pass through PCRE2: run_watched() repeats the check.
int take_step(pcre2_callout_block* /*block*/, void* /*data*/) {
  try {
    Spending::step_current();
    return 0;
  } catch (...) {
    return PCRE2_ERROR_CALLOUT;
  }
}

pcre2_match_context* make_limits(std::uint32_t steps) {
  pcre2_match_context* limits = pcre2_match_context_create(nullptr);
  if (limits == nullptr) throw std::bad_alloc();
  pcre2_set_callout(limits, take_step, nullptr);
  pcre2_set_match_limit(limits, steps);
  pcre2_set_depth_limit(limits, kDepthLimit);
  pcre2_set_heap_limit(limits, kHeapLimit);
  return limits;
}

// A short text is tried first with a match limit so small that no clock check is needed, even for a
// pathological pattern.
constexpr std::size_t kShort = 1024;
constexpr std::uint32_t kQuickLimit = 1'000;

pcre2_code* code_of(std::string_view pattern, std::uint32_t options);

// Compiles with a callout before each item. A pattern that is too long for that gets one callout at
// each start position of a match; (*UCP) and similar verbs stay at the front.
pcre2_code* watched_code(const std::string& pattern, std::uint32_t options) {
  if (pcre2_code* code = code_of(pattern, options | PCRE2_AUTO_CALLOUT)) return code;
  std::size_t front = 0;
  while (pattern.compare(front, 2, "(*") == 0) {
    const std::size_t end = pattern.find(')', front);
    if (end == std::string::npos) break;
    front = end + 1;
  }
  return code_of(std::string(pattern).insert(front, "(?C)"), options);
}

// Older PCRE2 dereferences a null subject even if its length is zero.
PCRE2_SPTR begin_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
}

pcre2_code* code_of(std::string_view pattern, std::uint32_t options) {
  int error = 0;
  PCRE2_SIZE place = 0;
  return pcre2_compile(begin_of(pattern), pattern.size(), options, &error, &place, nullptr);
}

bool is_meta(char c) {
  return std::string_view(".^$|()[]{}*+?\\").find(c) != std::string_view::npos;
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
    : names_(std::move(names)),
      subject_(subject),
      limits_(make_limits(kMatchLimit)),
      quick_limits_(make_limits(kQuickLimit)) {
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
  watched_ = std::make_unique<Watched>();
  watched_->pattern = pattern;
  watched_->options = bits;
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // without it matching is slower, not different
}

int Pattern::run_quickly(std::string_view text, std::size_t from, void* data) const {
  const std::uint32_t known = subject_ == Subject::utf8 ? PCRE2_NO_UTF_CHECK : 0;
  return pcre2_match(static_cast<const pcre2_code*>(code_.get()), begin_of(text), text.size(), from,
                     known, static_cast<pcre2_match_data*>(data),
                     static_cast<pcre2_match_context*>(quick_limits_.get()));
}

int Pattern::run_watched(std::string_view text, std::size_t from, void* data) const {
  std::call_once(watched_->once, [this] {
    watched_->code.reset(watched_code(watched_->pattern, watched_->options));
    // The plain code compiled, so only memory can fail.
    if (watched_->code == nullptr) throw std::bad_alloc();
    pcre2_jit_compile(static_cast<pcre2_code*>(watched_->code.get()), PCRE2_JIT_COMPLETE);
  });
  const std::uint32_t known = subject_ == Subject::utf8 ? PCRE2_NO_UTF_CHECK : 0;
  const auto match = [&](std::uint32_t options) {
    return pcre2_match(static_cast<const pcre2_code*>(watched_->code.get()), begin_of(text),
                       text.size(), from, known | options, static_cast<pcre2_match_data*>(data),
                       static_cast<pcre2_match_context*>(limits_.get()));
  };
  const int result = match(0);
  return result == PCRE2_ERROR_JIT_STACKLIMIT ? match(PCRE2_NO_JIT) : result;
}

bool Pattern::run(std::string_view text, std::size_t from, void* data) const {
  constexpr std::size_t kShortPattern = 256;
  const bool is_quick = text.size() <= kShort && watched_->pattern.size() <= kShortPattern;
  int result = is_quick ? run_quickly(text, from, data) : PCRE2_ERROR_MATCHLIMIT;
  const bool is_done = result >= 0 || result == PCRE2_ERROR_NOMATCH;
  if (!is_done) result = run_watched(text, from, data);
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  if (Spending* const spending = Spending::current(); result == PCRE2_ERROR_CALLOUT && spending) {
    spending->step();
    spending->look();
  }
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
  // Alternatives may begin differently.
  if (pattern.find('|') != std::string_view::npos) return;
  std::size_t at = 1;
  while (at < pattern.size()) {
    const bool escaped = pattern[at] == '\\';
    if (escaped && (at + 1 == pattern.size() || is_alphanumeric(pattern[at + 1]))) break;
    if (!escaped && is_meta(pattern[at])) break;
    if (escaped) ++at;
    prefix_ += pattern[at++];
  }
  const std::string_view rest = pattern.substr(at);
  if (!rest.empty() && std::string_view("*?{").find(rest.front()) != std::string_view::npos) {
    drop_last_character(prefix_);  // a quantifier follows: the character may be absent
  }
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
