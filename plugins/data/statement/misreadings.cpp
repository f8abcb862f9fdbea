#include "statement/misreadings.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "catalog/column_type.hpp"
#include "rows/class_query.hpp"
#include "values/ascii.hpp"
#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

using WordForm = SqlWord::Form;

constexpr std::size_t kShortestSeconds = 9;  // digits: since March 1973

bool is_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// The uses of one field at its places in the text.
class FieldUses {
 public:
  // `name`: the field's in the statement, one of sql_columns().
  FieldUses(const std::vector<SqlWord>& words, const FieldView& field, const std::string& name)
      : words_(words), field_(field), name_(name) {}

  // The places where the text names the field.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (names_field(i)) all.push_back(i);
    }
    return all;
  }

  // What is wrong at a place; empty: nothing.
  std::string warning_at(std::size_t at) const {
    if (field_.kind == Kind::date) return date_warning_at(at);
    const bool is_boolean = field_.kind == Kind::boolean && !texts_at(at).empty();
    return is_boolean
               ? "'" + name_ + "' is 1 or 0 in SQL, which equals no text: write " + name_ + " = 1."
               : std::string();
  }

  // The texts with which the field is compared at a place: = 'x', IN ('x', 'y').
  std::vector<std::string> texts_at(std::size_t at) const {
    std::vector<std::string> texts;
    const auto take = [&](std::size_t place) {
      const bool is_text = word(place) != nullptr && words_[place].form == WordForm::text;
      if (is_text) texts.push_back(words_[place].text);
      return is_text;
    };
    std::size_t next = at + 1;
    while (is_sign(next, '=')) ++next;
    if (next > at + 1) return take(next), texts;
    if (!is_bare(next, "in") || !is_sign(next + 1, '(')) return {};
    for (next += 2; take(next) && is_sign(next + 1, ','); next += 2) continue;
    return texts;
  }

 private:
  const SqlWord* word(std::size_t at) const { return at < words_.size() ? &words_[at] : nullptr; }
  bool is_sign(std::size_t at, char c) const {
    return word(at) != nullptr && words_[at].is_sign(c);
  }
  bool is_bare(std::size_t at, std::string_view name) const {
    return word(at) != nullptr && words_[at].is_bare(name);
  }
  bool names_field(std::size_t at) const {
    return words_[at].is_name() && same_name(words_[at].text, name_) && !is_sign(at + 1, '.') &&
           !is_sign(at + 1, '(');
  }

  // The place before the name and its "t.".
  std::size_t begin_of(std::size_t at) const {
    return at > 1 && is_sign(at - 1, '.') ? at - 2 : at;
  }

  bool is_seconds(std::size_t at) const {
    const SqlWord* const one = word(at);
    if (one == nullptr || one->form != WordForm::bare) return false;
    const bool is_clock = same_name(one->text, "unixepoch") && is_sign(at + 1, '(');
    return is_clock || (is_digits(one->text) && one->text.size() >= kShortestSeconds);
  }
  // The place after a comparison that begins at `at`; nothing: none does.
  std::optional<std::size_t> after_comparison(std::size_t at) const {
    if (is_bare(at, "between") || is_bare(at, "is")) return at + 1;
    std::size_t end = at;
    while (is_sign(end, '<') || is_sign(end, '>') || is_sign(end, '=') || is_sign(end, '!')) ++end;
    return end == at ? std::nullopt : std::optional(end);
  }
  bool is_compared_with_seconds(std::size_t at) const {
    const auto right = after_comparison(at + 1);
    if (right && is_seconds(*right)) return true;
    std::size_t left = begin_of(at);
    const bool has_sign = left > 0 && after_comparison(left - 1).has_value();
    while (left > 0 && after_comparison(left - 1)) --left;
    return has_sign && left > 0 && is_seconds(left - 1);
  }
  bool is_read_as_seconds(std::size_t at) const {
    return is_sign(at + 1, ',') && word(at + 2) != nullptr &&
           words_[at + 2].form == WordForm::text && same_name(words_[at + 2].text, "unixepoch");
  }
  bool is_operand(std::size_t at) const {
    const auto is_operator = [this](std::size_t place) {
      constexpr std::string_view kOperators = "+-/%";
      return word(place) != nullptr && words_[place].form == WordForm::sign &&
             kOperators.find(words_[place].text[0]) != std::string_view::npos;
    };
    // "->" reads JSON.
    const bool is_arrow = is_sign(at + 1, '-') && is_sign(at + 2, '>');
    const std::size_t begin = begin_of(at);
    return (is_operator(at + 1) && !is_arrow) || (begin > 0 && is_operator(begin - 1));
  }
  // A literal of another shape than the field's texts, which sorts apart from those of its day.
  const SqlWord* other_shape(std::size_t at) const {
    const auto right = after_comparison(at + 1);
    const SqlWord* const literal = right ? word(*right) : nullptr;
    const bool has_blanks = field_.iso_shape.find(' ') == 10;
    if (literal == nullptr || literal->form != WordForm::text || !has_blanks) return nullptr;
    return iso_shape(literal->text).starts_with("0000-00-00T") ? literal : nullptr;
  }

  std::string date_warning_at(std::size_t at) const {
    const std::string name = "'" + name_ + "'";
    if (is_made_date(field_) && (is_compared_with_seconds(at) || is_read_as_seconds(at))) {
      return name +
             " is a text in SQL, such as '2026-08-31T12:00:00Z': compare it with such a "
             "text; unixepoch(" +
             name_ + ") is its number.";
    }
    if (is_operand(at)) {
      return name + " is a text in SQL: reckon with unixepoch(" + name_ +
             ") in seconds, or julianday(" + name_ + ") in days.";
    }
    if (const SqlWord* const literal = other_shape(at)) {
      std::string meant = literal->text;
      meant[10] = ' ';
      if (meant.ends_with('Z')) meant.pop_back();
      return name + " is stored with a blank between day and time, so '" + literal->text +
             "' sorts after all times of its day: write '" + meant + "'.";
    }
    return {};
  }

  const std::vector<SqlWord>& words_;
  const FieldView& field_;
  const std::string& name_;
};

void add_once(std::string sentence, std::vector<std::string>& all) {
  const bool is_known = std::find(all.begin(), all.end(), sentence) != all.end();
  if (!sentence.empty() && !is_known) all.push_back(std::move(sentence));
}

void read_field(const FieldUses& uses, const FieldView& field, std::size_t cls, Misreadings& all) {
  for (const std::size_t at : uses.places()) {
    add_once(uses.warning_at(at), all.warnings);
    if (field.kind != Kind::string || field.redacted) continue;
    for (std::string& text : uses.texts_at(at)) {
      all.texts.push_back({cls, field.name, std::move(text)});
    }
  }
}

bool has_date_path(const std::vector<SqlWord>& words) {
  return std::any_of(words.begin(), words.end(), [](const SqlWord& word) {
    return word.form == WordForm::text && word.text.starts_with('$') &&
           word.text.find("$date") != std::string::npos;
  });
}

}  // namespace

Misreadings misreadings(const std::vector<SqlWord>& words, const StatementShape& shape,
                        const std::vector<const ClassView*>& classes) {
  Misreadings all;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i]->is_open() && has_date_path(words)) {
      add_once("Dates in documents are ISO texts in SQL: leave $date out of the path.",
               all.warnings);
    }
    for (const std::string& name : shape.classes[i].fields) {
      const FieldView* const field = sql_field(*classes[i], name);
      if (field != nullptr) read_field({words, *field, name}, *field, i, all);
    }
  }
  return all;
}

}  // namespace gantry::data
