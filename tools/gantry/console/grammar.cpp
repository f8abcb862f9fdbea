#include "tools/gantry/console/grammar.hpp"

namespace gantry::cli::console {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) {
    for (const char c : text) read(c);
    end_word();
  }

  std::vector<std::string> take_words() { return std::move(words_); }
  bool is_open() const { return depth_ > 0 || quote_ != 0; }

 private:
  void read(char c) {
    if (quote_ != 0) return read_quoted(c);
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (depth_ == 0 && is_blank) return end_word();
    if (c == '"' || (c == '\'' && depth_ == 0)) {
      if (depth_ > 0 || may_begin_quote()) return begin_quote(c);
    }
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && depth_ > 0) --depth_;
    add(c);
  }

  // Quotes elsewhere, as in O'Brien, are characters of the word.
  bool may_begin_quote() const { return word_.empty() || word_.back() == '='; }

  void begin_quote(char c) {
    quote_ = c;
    has_word_ = true;
    if (depth_ > 0) add(c);
  }

  void read_quoted(char c) {
    const bool keeps = depth_ > 0;
    if (is_escaped_) {
      is_escaped_ = false;
      if (!keeps && c != '"' && c != '\\') add('\\');
      return add(c);
    }
    if (c == '\\' && quote_ == '"') {
      is_escaped_ = true;
      if (keeps) add(c);
      return;
    }
    if (c == quote_) quote_ = 0;
    if (c != '"' && c != '\'') return add(c);
    if (quote_ != 0 || keeps) add(c);
  }

  void add(char c) {
    word_ += c;
    has_word_ = true;
  }

  void end_word() {
    if (has_word_) words_.push_back(std::move(word_));
    word_.clear();
    has_word_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;
  bool has_word_ = false, is_escaped_ = false;
  int depth_ = 0;
  char quote_ = 0;
};

}  // namespace

bool is_open(std::string_view text) { return Reader(text).is_open(); }

std::vector<std::string> words_of(std::string_view text) { return Reader(text).take_words(); }

}  // namespace gantry::cli::console
