#include "filter/columns/text_terms.hpp"

#include "values/ascii.hpp"
#include "values/utf8.hpp"

namespace gantry::data::columns {
namespace {

enum class Sign { letter, space, quote, minus, separator };

// "don't" and "snake_case" are single words.
Sign ascii_sign(char c) {
  if (is_alphanumeric(c) || c == '\'' || c == '_') return Sign::letter;
  if (c == '"') return Sign::quote;
  if (c == '-') return Sign::minus;
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || byte == 0x7F ? Sign::space : Sign::separator;
}

unsigned point_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2) return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
  if (character.size() != 3) return 0x10000;
  return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
}

// The blocks that contain most spaces and punctuation. Other signs count as letters here; FTS5
// makes no word of them either.
Sign wide_sign(std::string_view character) {
  const unsigned point = point_of(character);
  const bool is_space = point == 0xA0 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
                        point == 0x2029 || point == 0x3000;
  if (is_space) return Sign::space;
  const bool is_latin = point < 0xC0 && point != 0xAA && point != 0xB5 && point != 0xBA;
  const bool is_mark = (point > 0x2000 && point <= 0x206F) || (point > 0x3000 && point <= 0x3003) ||
                       (point >= 0x3008 && point <= 0x3011);
  return is_latin || is_mark ? Sign::separator : Sign::letter;
}

struct Run {
  std::string_view text;
  Sign sign;
};

Run next_run(std::string_view text) {
  if (static_cast<unsigned char>(text[0]) < 0x80) return {text.substr(0, 1), ascii_sign(text[0])};
  const std::size_t length = utf8_length(text.data(), text.data() + text.size());
  if (length == 0) return {text.substr(0, 1), Sign::separator};
  return {text.substr(0, length), wide_sign(text.substr(0, length))};
}

bool has_letter(std::string_view text) {
  while (!text.empty()) {
    const Run run = next_run(text);
    if (run.sign == Sign::letter && (run.text.size() > 1 || is_alphanumeric(run.text[0]))) {
      return true;
    }
    text.remove_prefix(run.text.size());
  }
  return false;
}

// Any white space in a phrase becomes a blank: a NUL would end FTS5's query.
std::string cleaned(std::string_view phrase) {
  std::string text(phrase);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

class Scanner {
 public:
  TextTerms run(std::string_view text) {
    while (!text.empty()) {
      const Run run = next_run(text);
      const bool is_phrase = run.sign == Sign::quote && phrase(text);
      if (!is_phrase) {
        one(run);
        text.remove_prefix(run.text.size());
      }
    }
    end_chunk();
    return std::move(terms_);
  }

 private:
  void one(const Run& run) {
    switch (run.sign) {
      case Sign::letter:
        word_ += run.text;
        break;
      case Sign::space:
        end_chunk();
        is_negated_ = false;
        is_behind_space_ = true;
        return;
      case Sign::minus:
        is_negated_ = is_negated_ || is_behind_space_;
        [[fallthrough]];
      case Sign::quote:  // unterminated
      case Sign::separator:
        end_word();
        break;
    }
    if (run.sign != Sign::quote && !(is_behind_space_ && run.sign == Sign::minus))
      chunk_ += run.text;
    is_behind_space_ = false;
  }

  // Takes the text up to the closing quote, if there is one.
  bool phrase(std::string_view& text) {
    const auto end = text.find('"', 1);
    if (end == std::string_view::npos) return false;
    end_chunk();
    const std::string_view inside = text.substr(1, end - 1);
    if (has_letter(inside))
      (is_negated_ ? terms_.negated : terms_.phrases).push_back(cleaned(inside));
    text.remove_prefix(end + 1);
    is_behind_space_ = false;
    return true;
  }

  void add(std::string text) {
    if (has_letter(text)) (is_negated_ ? terms_.negated : terms_.words).push_back(std::move(text));
  }

  void end_word() {
    if (word_.empty()) return;
    words_in_chunk_.push_back(std::move(word_));
    word_.clear();
  }

  // An index may treat signs as letters, so the text between blanks is searched as a whole too.
  void end_chunk() {
    end_word();
    const bool is_split =
        words_in_chunk_.size() > 1 || (words_in_chunk_.size() == 1 && words_in_chunk_[0] != chunk_);
    for (std::string& word : words_in_chunk_) add(std::move(word));
    if (is_split) add(std::move(chunk_));
    words_in_chunk_.clear();
    chunk_.clear();
  }

  TextTerms terms_;
  std::string word_, chunk_;
  std::vector<std::string> words_in_chunk_;
  bool is_negated_ = false, is_behind_space_ = true;
};

std::string joined_terms(const std::vector<std::string>& terms, std::string_view between) {
  std::string query;
  for (const std::string& term : terms) {
    query.append(query.empty() ? "" : between).append("\"").append(term).append("\"");
  }
  return query;
}

}  // namespace

TextTerms read_text_terms(std::string_view search) { return Scanner().run(search); }

std::string fts5_query(const TextTerms& terms) {
  const bool by_phrase = !terms.phrases.empty();
  std::string query = "(";
  query += by_phrase ? joined_terms(terms.phrases, " AND ") : joined_terms(terms.words, " OR ");
  query += ")";
  if (!terms.negated.empty()) query += " NOT (" + joined_terms(terms.negated, " OR ") + ")";
  return query;
}

}  // namespace gantry::data::columns
