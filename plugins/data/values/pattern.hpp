// values/pattern.hpp: a caller's regular expression, matched by PCRE2 with MongoDB's options.
//
// A Pattern is compiled once, then immutable; any thread may use it. Matching is bounded: a match
// that needs more than kMatchLimit steps fails. It also counts steps of the thread's query
// (values/spending.hpp), because PCRE2's limit does not bound the time: one of its steps may read
// the whole text, and the limit applies to each start position separately.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace gantry::data {

class Pattern {
 public:
  static constexpr std::uint32_t kMatchLimit = 1'000'000;  // PCRE2's match limit
  static constexpr std::size_t kMaxPattern = 16'384;       // bytes

  // The names of pattern and options in error messages.
  struct Names {
    std::string pattern = "The $regex";
    std::string options = "$options";
  };
  enum class Subject {
    bytes,  // any bytes; invalid UTF-8 never matches
    utf8    // known to be valid UTF-8: not validated again for each match
  };

  // Throws QueryError: an invalid pattern, with the place of the error; an option that is not one
  // of "imsxu" (u is accepted and ignored: all text is UTF-8).
  Pattern(std::string_view pattern, std::string_view options);
  Pattern(std::string_view pattern, std::string_view options, Names names, Subject subject);

  // Whether the pattern matches anywhere in `text`. Throws QueryError that names the limit when the
  // match takes too long.
  bool found_in(std::string_view text) const;

  // A prefix of every matching text; empty when none is known.
  const std::string& prefix() const { return prefix_; }

 private:
  friend class PatternSearch;
  struct FreeCode {
    void operator()(void* code) const;
  };
  struct FreeLimits {
    void operator()(void* limits) const;
  };
  // The same pattern compiled with callouts that count steps. Slower: for matches that may take
  // long.
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
  std::unique_ptr<Watched> watched_;          // compiled on first use
  std::unique_ptr<void, FreeLimits> limits_;  // pcre2_match_context, only read while matching
  std::unique_ptr<void, FreeLimits> quick_limits_;
  std::string prefix_;
};

// The matches of one pattern in one text. Pattern and text must outlive it. One thread at a time.
class PatternSearch {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Span {
    std::size_t begin = kNone;  // bytes; kNone: this group did not participate in the match
    std::size_t end = kNone;
  };

  PatternSearch(const Pattern& pattern, std::string_view text);
  // The next match that begins at byte `from` or later; throws as found_in() does.
  bool find(std::size_t from);
  // Of the last match: 0 is the whole match, then the groups in order of their opening brackets.
  Span group(std::size_t index) const;
  // The number of groups in the pattern, without the whole match.
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
