// ECMA-262 patterns on PCRE2; all work is charged to a budget.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;

namespace gantry::schema::detail {

struct RegexFree {
  void operator()(pcre2_real_code_8* p) const;
  void operator()(pcre2_real_match_data_8* p) const;
  void operator()(pcre2_real_match_context_8* p) const;
};

// The pattern in PCRE2's syntax, or the reason why ECMA-262 (in Unicode mode) does not allow it.
Result<std::string> to_pcre(std::string_view ecma);

struct Regex {
  std::string pattern;  // as written in the schema
  std::unique_ptr<pcre2_real_code_8, RegexFree> code;

  static Result<Regex> compile(std::string_view pattern);
};

// The buffers for matching during one check of one value. One thread.
class Matcher {
 public:
  enum class Outcome : std::uint8_t { kNoMatch, kMatch, kTooCostly };
  // Subtracts the cost of the match from `steps`; kTooCostly if they do not suffice.
  Outcome find(const Regex& regex, std::string_view subject, std::uint64_t& steps);

 private:
  bool prepare();
  std::unique_ptr<pcre2_real_match_data_8, RegexFree> data_;
  std::unique_ptr<pcre2_real_match_context_8, RegexFree> context_;
};

}  // namespace gantry::schema::detail
