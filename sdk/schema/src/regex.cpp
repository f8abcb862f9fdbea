#include "regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace gantry::schema::detail {
namespace {

constexpr std::size_t kMaxPattern = 16384;
constexpr std::uint32_t kMaxNesting = 100;
constexpr std::uint32_t kHeapKibibytes = 16384;
constexpr std::uint32_t kBacktracks = 10'000'000;

PCRE2_SPTR units(std::string_view s) {
  // PCRE2 needs an address even for an empty subject.
  return reinterpret_cast<PCRE2_SPTR>(s.data() != nullptr ? s.data() : "");
}

struct Meter {
  std::uint64_t* steps;
  PCRE2_SIZE last;
};

// Called before every item of a pattern: charges the item and the distance scanned since the last
// one, so that both backtracking and long scans count.
int charge(pcre2_callout_block* block, void* data) {
  auto* meter = static_cast<Meter*>(data);
  const PCRE2_SIZE at = block->current_position;
  const PCRE2_SIZE moved = at > meter->last ? at - meter->last : meter->last - at;
  meter->last = at;
  const std::uint64_t cost = 1 + moved / 64;
  if (*meter->steps < cost) return PCRE2_ERROR_CALLOUT;
  *meter->steps -= cost;
  return 0;
}

Status refuse(int code, PCRE2_SIZE offset) {
  PCRE2_UCHAR words[160];
  pcre2_get_error_message(code, words, sizeof words);
  return Status::invalid(std::string(reinterpret_cast<const char*>(words)) + " near offset " +
                         std::to_string(offset));
}

pcre2_code* compile_units(std::string_view pattern, int* code, PCRE2_SIZE* offset) {
  std::unique_ptr<pcre2_compile_context, void (*)(pcre2_compile_context*)> context(
      pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  if (!context) return nullptr;
  pcre2_set_parens_nest_limit(context.get(), kMaxNesting);
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY |
                                     PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF |
                                     PCRE2_AUTO_CALLOUT;
  return pcre2_compile(units(pattern), pattern.size(), kOptions, code, offset, context.get());
}

}  // namespace

void RegexFree::operator()(pcre2_real_code_8* p) const { pcre2_code_free(p); }
void RegexFree::operator()(pcre2_real_match_data_8* p) const { pcre2_match_data_free(p); }
void RegexFree::operator()(pcre2_real_match_context_8* p) const { pcre2_match_context_free(p); }

Result<Regex> Regex::compile(std::string_view pattern) {
  if (pattern.size() > kMaxPattern) {
    return Status::invalid("the pattern is longer than " + std::to_string(kMaxPattern) + " bytes");
  }
  Result<std::string> spelled = to_pcre(pattern);
  if (!spelled) return spelled.status();
  int code = 0;
  PCRE2_SIZE offset = 0;
  Regex out;
  out.pattern = std::string(pattern);
  out.code.reset(compile_units(*spelled, &code, &offset));
  if (!out.code) return refuse(code, offset);
  return out;
}

bool Matcher::prepare() {
  if (context_) return true;
  data_.reset(pcre2_match_data_create(1, nullptr));
  if (!data_) return false;
  context_.reset(pcre2_match_context_create(nullptr));
  if (!context_) return false;
  pcre2_set_match_limit(context_.get(), kBacktracks);
  pcre2_set_heap_limit(context_.get(), kHeapKibibytes);
  return true;
}

Matcher::Outcome Matcher::find(const Regex& regex, std::string_view subject, std::uint64_t& steps) {
  if (!prepare()) return Outcome::kTooCostly;
  Meter meter{&steps, 0};
  pcre2_set_callout(context_.get(), charge, &meter);
  const int found = pcre2_match(regex.code.get(), units(subject), subject.size(), 0, 0, data_.get(),
                                context_.get());
  if (found >= 0) return Outcome::kMatch;
  // Text that is not UTF-8 matches no pattern.
  const bool no_match = found == PCRE2_ERROR_NOMATCH ||
                        (found <= PCRE2_ERROR_UTF8_ERR1 && found >= PCRE2_ERROR_UTF8_ERR21);
  return no_match ? Outcome::kNoMatch : Outcome::kTooCostly;
}

}  // namespace gantry::schema::detail
