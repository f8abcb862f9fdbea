// where/regex.hpp: a caller's regular expression, by PCRE2 as MongoDB has it.
//
// Compiled once, immutable, used from any thread. Matching is bounded: a pattern that needs more
// steps than kMatchLimit on one text fails instead of going on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gantry::data::where {

class Regex {
 public:
  static constexpr std::uint32_t kMatchLimit = 1'000'000;  // PCRE2's steps of one match
  static constexpr std::size_t kMaxPattern = 16'384;       // bytes

  // Throws Refusal (invalid_query): a bad pattern, with the place; an option that is none of
  // "imsxu", where u means nothing because all text is UTF-8.
  Regex(std::string_view pattern, std::string_view options);

  // Whether the pattern is found in `text`; bytes that are no UTF-8 match nothing. Throws
  // std::runtime_error, naming the limit, when the match takes too long.
  bool found_in(std::string_view text) const;

  // What every matching text begins with; empty when the pattern does not say.
  const std::string& prefix() const { return prefix_; }
  // Whether beginning with prefix() is all that the pattern asks.
  bool prefix_is_all() const { return prefix_is_all_; }

 private:
  struct FreeCode {
    void operator()(void* code) const;
  };
  struct FreeLimits {
    void operator()(void* limits) const;
  };
  int run(std::string_view text, std::uint32_t options) const;
  void read_prefix(std::string_view pattern);

  std::unique_ptr<void, FreeCode> code_;      // pcre2_code
  std::unique_ptr<void, FreeLimits> limits_;  // pcre2_match_context, only read while matching
  std::string prefix_;
  bool prefix_is_all_ = false;
};

}  // namespace gantry::data::where
