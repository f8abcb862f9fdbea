#include "catalog/checked_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "catalog/column_type.hpp"

namespace gantry::data {
namespace {

using Literals = std::vector<Literal>;

constexpr std::size_t kMostAllowed = 200;
constexpr int kDeepestCheck = 50;

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

// The number that a text is, as SQLite's NUMERIC affinity converts it.
std::optional<Literal> number_of(std::string_view text) {
  if (const auto integer = whole_text<std::int64_t>(text)) return Literal(*integer);
  const auto real = whole_text<double>(text);
  if (!real || !std::isfinite(*real)) return std::nullopt;
  const bool is_integer = std::trunc(*real) == *real && std::fabs(*real) < 9e15;
  return is_integer ? Literal(static_cast<std::int64_t>(*real)) : Literal(*real);
}

// Reads one constraint, from the word after "CHECK (" to its last parenthesis.
class ConstraintReader {
 public:
  ConstraintReader(const std::vector<SqlWord>& words, std::size_t at, const Field& field,
                   const std::vector<Field>& fields)
      : words_(words), at_(at), field_(field), fields_(fields) {}

  // Empty if it says something else, or nothing about the column.
  std::optional<Literals> read() {
    Literals values;
    if (!alternatives(values) || !take(')')) return std::nullopt;
    return values;
  }

 private:
  bool alternatives(Literals& values) {
    if (++depth_ > kDeepestCheck) return false;
    do {
      if (!alternative(values)) return false;
    } while (take("or"));
    --depth_;
    return true;
  }

  bool alternative(Literals& values) {
    if (take('(')) return alternatives(values) && take(')');
    if (const auto value = literal()) return add(values, value) && take_equals() && take_column();
    if (!take_column()) return false;
    if (take("isnull") || (next_are("is", "null") && skip(2))) return true;
    if (take("in")) return take('(') && list(values) && take(')');
    return take_equals() && add(values, literal());
  }

  bool list(Literals& values) {
    do {
      if (!add(values, literal())) return false;
    } while (take(','));
    return true;
  }

  static bool add(Literals& values, std::optional<Literal> value) {
    if (!value) return false;
    if (std::find(values.begin(), values.end(), *value) == values.end()) {
      values.push_back(std::move(*value));
    }
    return true;
  }

  // A number or text in the type of the column; takes nothing if there is none.
  std::optional<Literal> literal() {
    if (at_ >= words_.size()) return std::nullopt;
    if (is_text(words_[at_])) return as_stored(words_[at_++].text, true);
    const std::size_t before = at_;
    std::string digits = take('-') ? "-" : "";
    if (digits.empty()) take('+');
    if (at_ < words_.size() && words_[at_].form == SqlWord::Form::bare) {
      digits += words_[at_++].text;
      if (take('.') && at_ < words_.size()) digits += "." + words_[at_++].text;
      if (number_of(digits)) return as_stored(digits, false);
    }
    at_ = before;
    return std::nullopt;
  }

  // Double quotes enclose a text where no column has that name.
  bool is_text(const SqlWord& word) const {
    return word.form == SqlWord::Form::text ||
           (word.form == SqlWord::Form::quoted &&
            std::none_of(fields_.begin(), fields_.end(),
                         [&word](const Field& field) { return same_name(field.name, word.text); }));
  }

  std::optional<Literal> as_stored(const std::string& text, bool is_text) const {
    const Affinity affinity = affinity_of(field_.declared);
    const bool keeps_text = affinity == Affinity::none ? is_text : affinity == Affinity::text;
    const auto number = keeps_text ? std::nullopt : number_of(text);
    return number ? number : Literal(text);
  }

  bool take_column() {
    if (at_ >= words_.size()) return false;
    const SqlWord& word = words_[at_];
    return word.is_name() && same_name(word.text, field_.name) && skip(1);
  }

  bool take_equals() {
    if (take("is")) return true;
    return take('=') && (take('='), true);
  }

  bool take(char sign) { return at_ < words_.size() && words_[at_].is_sign(sign) && skip(1); }
  bool take(std::string_view word) { return is_word(at_, word) && skip(1); }
  bool next_are(std::string_view a, std::string_view b) const {
    return is_word(at_, a) && is_word(at_ + 1, b);
  }
  bool skip(std::size_t count) { return at_ += count, true; }
  bool is_word(std::size_t at, std::string_view word) const {
    return at < words_.size() && words_[at].is_bare(word);
  }

  const std::vector<SqlWord>& words_;
  std::size_t at_;
  const Field& field_;
  const std::vector<Field>& fields_;
  int depth_ = 0;
};

bool begins_check(const std::vector<SqlWord>& words, std::size_t at) {
  return words[at].is_bare("check") && at + 1 < words.size() && words[at + 1].is_sign('(');
}

void keep_common(Literals& values, const Literals& other) {
  std::erase_if(values, [&other](const Literal& value) {
    return std::find(other.begin(), other.end(), value) == other.end();
  });
}

}  // namespace

void find_allowed_values(const std::vector<SqlWord>& words, std::vector<Field>& fields) {
  for (std::size_t at = 0; at + 2 < words.size(); ++at) {
    if (!begins_check(words, at)) continue;
    for (Field& field : fields) {
      const auto values = ConstraintReader(words, at + 2, field, fields).read();
      if (!values || values->empty() || values->size() > kMostAllowed) continue;
      if (field.allowed.empty()) {
        field.allowed = *values;
      } else {
        keep_common(field.allowed, *values);
      }
    }
  }
}

}  // namespace gantry::data
