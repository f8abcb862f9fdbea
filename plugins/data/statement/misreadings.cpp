#include "statement/misreadings.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "catalog/column_type.hpp"
#include "rows/class_query.hpp"
#include "statement/clauses.hpp"
#include "values/ascii.hpp"
#include "values/iso_date.hpp"
#include "values/iso_shape.hpp"

namespace gantry::data {
namespace {

using WordForm = SqlWord::Form;

bool is_digits(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// The place after the signs of a comparison; `at` itself: there are none.
std::size_t after_signs(const std::vector<SqlWord>& words, std::size_t at) {
  const auto is_one = [](const SqlWord& word) {
    constexpr std::string_view kSigns = "<>=!";
    return word.form == WordForm::sign && kSigns.find(word.text[0]) != std::string_view::npos;
  };
  while (at < words.size() && is_one(words[at])) ++at;
  return at;
}

// The name before the fields of each class, where it has one.
using OwnerNames = std::vector<std::optional<std::string>>;

// Which class a name before a field means.
class Owner {
 public:
  Owner(const StatementShape& shape, const OwnerNames& names, std::size_t cls)
      : shape_(shape), names_(names), cls_(cls) {}

  bool may_be_named(const std::string& qualifier) const {
    if (names_[cls_]) return same_name(*names_[cls_], qualifier);
    return std::none_of(names_.begin(), names_.end(), [&qualifier](const auto& other) {
      return other && same_name(*other, qualifier);
    });
  }
  // Whether another class has the field too.
  bool shares(const std::string& field) const {
    const auto has = [&field](const StatementShape::UsedClass& used) {
      return std::any_of(used.fields.begin(), used.fields.end(),
                         [&field](const std::string& one) { return same_name(one, field); });
    };
    return std::count_if(shape_.classes.begin(), shape_.classes.end(), has) > 1;
  }

 private:
  const StatementShape& shape_;
  const OwnerNames& names_;
  const std::size_t cls_;
};

// The place in shape.parameters of each word that is one.
std::vector<std::optional<std::size_t>> parameters_of(const std::vector<SqlWord>& words,
                                                      const StatementShape& shape) {
  std::vector<std::optional<std::size_t>> places(words.size());
  std::size_t bare = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].is_sign('?') && words[i].form != WordForm::parameter) continue;
    const bool is_bare = words[i].text == "?";
    const auto& all = shape.parameters;
    const auto at = is_bare ? static_cast<std::ptrdiff_t>(bare++)
                            : std::find(all.begin(), all.end(), words[i].text) - all.begin();
    if (static_cast<std::size_t>(at) < all.size()) places[i] = static_cast<std::size_t>(at);
  }
  return places;
}

// A text that a field is compared with, or the parameter that gives it.
struct ComparedText {
  std::string text;
  std::optional<std::size_t> parameter;
};

// The uses of one field at its places in the text.
class FieldUses {
 public:
  // `name`: the field's in the statement, one of sql_columns().
  FieldUses(const std::vector<SqlWord>& words, const FieldView& field, const std::string& name,
            const Owner& owner, const std::vector<std::optional<std::size_t>>& parameters)
      : words_(words), field_(field), name_(name), owner_(owner), parameters_(parameters) {}

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
  std::vector<ComparedText> texts_at(std::size_t at) const {
    std::vector<ComparedText> texts;
    if (is_in_case(at)) return texts;  // it may have branches that no row takes
    const auto take = [&](std::size_t place) {
      if (word(place) == nullptr) return false;
      const bool is_text = words_[place].form == WordForm::text;
      if (is_text) texts.push_back({words_[place].text, {}});
      if (parameters_[place]) texts.push_back({{}, parameters_[place]});
      return is_text || parameters_[place].has_value();
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
    const bool is_name = words_[at].is_name() && same_name(words_[at].text, name_) &&
                         !is_sign(at + 1, '.') && !is_sign(at + 1, '(');
    if (!is_name) return false;
    const bool is_qualified = at > 1 && is_sign(at - 1, '.') && words_[at - 2].is_name();
    return is_qualified ? owner_.may_be_named(words_[at - 2].text) : !owner_.shares(name_);
  }
  bool is_in_case(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = 0; i < at; ++i) depth += is_bare(i, "case") - is_bare(i, "end");
    return depth > 0;
  }

  // The place before the name and its "t.".
  std::size_t begin_of(std::size_t at) const {
    return at > 1 && is_sign(at - 1, '.') ? at - 2 : at;
  }

  bool is_number(std::size_t at) const {
    const SqlWord* const one = word(at);
    if (one == nullptr || one->form != WordForm::bare) return false;
    const bool is_clock = same_name(one->text, "unixepoch") && is_sign(at + 1, '(');
    return is_clock || is_digits(one->text);
  }
  // The place after a comparison that begins at `at`; nothing: none does.
  std::optional<std::size_t> after_comparison(std::size_t at) const {
    if (is_bare(at, "between") || is_bare(at, "is")) return at + 1;
    const std::size_t end = after_signs(words_, at);
    return end == at ? std::nullopt : std::optional(end);
  }
  bool is_compared_with_number(std::size_t at) const {
    const auto right = after_comparison(at + 1);
    if (right && is_number(*right)) return true;
    std::size_t left = begin_of(at);
    const bool has_sign = left > 0 && after_comparison(left - 1).has_value();
    while (left > 0 && after_comparison(left - 1)) --left;
    return has_sign && left > 0 && is_number(left - 1);
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

  // A text of a day where the field has texts of moments, or the other way round: none is equal.
  const SqlWord* unequal_text(std::size_t at) const {
    const SqlWord* const literal =
        is_sign(at + 1, '=') ? word(at + (is_sign(at + 2, '=') ? 3 : 2)) : nullptr;
    const bool is_date = literal != nullptr && literal->form == WordForm::text &&
                         parse_iso_date(literal->text).has_value();
    constexpr std::size_t kDay = 10;
    const std::size_t size = field_.iso_shape.size();
    const bool differs = is_date && size != 0 && (size == kDay) != (literal->text.size() == kDay);
    return differs ? literal : nullptr;
  }

  std::string date_warning_at(std::size_t at) const {
    const std::string name = "'" + name_ + "'";
    const bool is_text = is_made_date(field_) || field_.date_form == DateForm::iso_text;
    const bool is_misread = is_made_date(field_) && is_read_as_seconds(at);
    if (is_text && (is_compared_with_number(at) || is_misread)) {
      return name + " is a text in SQL, such as '" + example() +
             "': compare it with such a text; unixepoch(" + name_ + ") is its number.";
    }
    if (const SqlWord* const literal = unequal_text(at)) {
      return name + " is a text such as '" + example() + "', which '" + literal->text +
             "' never equals: compare date(" + name_ + ") with a day, or write a range.";
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

  // A text of the field's form.
  std::string example() const {
    constexpr std::int64_t kSome = 1'788'177'600'000;
    const auto like = iso_text_of_shape(kSome, field_.iso_shape);
    return like ? *like : "2026-08-31T12:00:00Z";
  }

  const std::vector<SqlWord>& words_;
  const FieldView& field_;
  const std::string& name_;
  const Owner& owner_;
  const std::vector<std::optional<std::size_t>>& parameters_;
};

void add_once(std::string sentence, std::vector<std::string>& all) {
  const bool is_known = std::find(all.begin(), all.end(), sentence) != all.end();
  if (!sentence.empty() && !is_known) all.push_back(std::move(sentence));
}

void read_field(const FieldUses& uses, const FieldView& field, std::size_t cls, Misreadings& all) {
  for (const std::size_t at : uses.places()) {
    add_once(uses.warning_at(at), all.warnings);
    if (field.kind != Kind::string || field.redacted) continue;
    for (ComparedText& one : uses.texts_at(at)) {
      all.texts.push_back({cls, field.name, std::move(one.text), one.parameter});
    }
  }
}

// strftime(…) = 2021: a text equals no number.
bool compares_strftime_with_number(const std::vector<SqlWord>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (!words[i].is_bare("strftime") || !words[i + 1].is_sign('(')) continue;
    std::size_t end = i + 1;
    int depth = 0;
    do {
      depth += words[end++].nesting();
    } while (depth > 0 && end < words.size());
    const std::size_t sign = end;
    end = after_signs(words, end);
    const bool is_number = end > sign && end < words.size() && words[end].form == WordForm::bare &&
                           is_digits(words[end].text);
    if (is_number) return true;
  }
  return false;
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
  const auto parameters = parameters_of(words, shape);
  OwnerNames names;
  for (const auto& used : shape.classes) names.push_back(only_name(words, used.name));
  if (compares_strftime_with_number(words)) {
    add_once("strftime() gives a text, which equals no number: write the number in quotes.",
             all.warnings);
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Owner owner(shape, names, i);
    if (classes[i]->is_open() && has_date_path(words)) {
      add_once("Dates in documents are ISO texts in SQL: leave $date out of the path.",
               all.warnings);
    }
    for (const std::string& name : shape.classes[i].fields) {
      const FieldView* const field = sql_field(*classes[i], name);
      if (field != nullptr) read_field({words, *field, name, owner, parameters}, *field, i, all);
    }
  }
  return all;
}

}  // namespace gantry::data
