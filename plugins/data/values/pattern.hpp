// values/pattern.hpp: a caller's regular expression, by PCRE2 as MongoDB has it.
//
// A Pattern is compiled once, immutable and used from any thread. Matching is bounded: a pattern
// that needs more than kMatchLimit steps for one match fails instead of going on. It also takes
// steps of the query of its thread (values/spending.hpp): what PCRE2 counts is not time, for one of
// its steps may look at all of a text, and each place of a text has a limit of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace gantry::data {

class Pattern {
 public:
  static constexpr std::uint32_t kMatchLimit = 1'000'000;  // PCRE2's steps of one match
  static constexpr std::size_t kMaxPattern = 16'384;       // bytes

  // What messages call the two texts.
  struct Names {
    std::string pattern = "The $regex";
    std::string options = "$options";
  };
  enum class Subject {
    bytes,  // any; what is no UTF-8 matches nothing
    utf8    // known to be UTF-8: not looked at again for every match
  };

  // Throws QueryError: a bad pattern, with the place; an option that is none of "imsxu", where u
  // means nothing because all text is UTF-8.
  Pattern(std::string_view pattern, std::string_view options);
  Pattern(std::string_view pattern, std::string_view options, Names names, Subject subject);

  // Whether the pattern is found in `text`. Throws QueryError, naming the limit, when the match
  // takes too long.
  bool found_in(std::string_view text) const;

  // What every matching text begins with; empty when the pattern does not say.
  const std::string& prefix() const { return prefix_; }
  // Whether beginning with prefix() is all that the pattern asks.
  bool prefix_is_all() const { return prefix_is_all_; }

 private:
  friend class PatternSearch;
  struct FreeCode {
    void operator()(void* code) const;
  };
  struct FreeLimits {
    void operator()(void* limits) const;
  };
  // The same code with callouts, which take the steps. Slower: for texts that may take long.
  struct Watched {
    std::once_flag once;
    std::string pattern;
    std::uint32_t options = 0;
    std::unique_ptr<void, FreeCode> code;
  };
  // Whether there is a match at or after `from`; `data` is a pcre2_match_data.
  bool run(std::string_view text, std::size_t from, void* data) const;
  int run_quickly(std::string_view text, std::size_t from, void* data) const;
  int run_watched(std::string_view text, std::size_t from, void* data) const;
  void compile(std::string_view pattern, std::string_view options);
  void read_prefix(std::string_view pattern);

  Names names_;
  Subject subject_;
  std::unique_ptr<void, FreeCode> code_;      // pcre2_code
  std::unique_ptr<Watched> watched_;          // made when it is first needed
  std::unique_ptr<void, FreeLimits> limits_;  // pcre2_match_context, only read while matching
  std::unique_ptr<void, FreeLimits> quick_limits_;
  std::string prefix_;
  bool prefix_is_all_ = false;
};

// The matches of one pattern in one text, which both outlive it. One thread at a time.
class PatternSearch {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Span {
    std::size_t begin = kNone;  // bytes; kNone: this group took no part in the match
    std::size_t end = kNone;
  };

  PatternSearch(const Pattern& pattern, std::string_view text);
  // The next match that begins at byte `from` or later; throws as found_in() does.
  bool find(std::size_t from);
  // Of the last match: 0 is all of it, then the groups in order of their opening brackets.
  Span group(std::size_t index) const;
  // Groups in the pattern, without the whole.
  std::size_t groups() const { return groups_; }

 private:
  struct FreeData {
    void operator()(void* data) const;
  };
  const Pattern& pattern_;
  std::string_view text_;
  std::size_t groups_ = 0;
  std::unique_ptr<void, FreeData> data_;  // pcre2_match_data
};

}  // namespace gantry::data
