#include "sql/dialect.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sql/key_values.hpp"
#include "sql/scalar.hpp"
#include "values/matcher.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

using Form = FieldForm::Type;

Fragment never() { return {"0", {}}; }

bool is_nan(const Value& value) { return value.is_real() && std::isnan(value.real()); }

// Texts that agents see as they are stored.
class WholeText final : public Matcher {
 public:
  explicit WholeText(FieldForm form) : form_(std::move(form)) {}
  bool match(const StoredValue& stored) const override {
    return stored.is_text() && is_utf8(stored.bytes) && !form_.hides_part_of(stored.bytes);
  }

 private:
  FieldForm form_;
};

// Text that is not UTF-8 is binary data, which is no string. A text of which the agent sees a part
// is in no range, and equals no operand.
Fragment text_compare(const Field& field, const FieldForm& form, Order order,
                      const Value& operand) {
  if (order == Order::eq && form.hides_part_of(operand.text())) return never();
  Fragment sql = compare_sql(field, order, operand);
  if (order == Order::eq) return sql;
  Fragment both{"(", {}};
  both.add(sql).add(" AND gantry_match(").bind(std::make_shared<WholeText>(form));
  return std::move(both.add(", " + field.column + "))"));
}

// Binary data may be stored as text that is not UTF-8. SQLite orders it differently.
std::optional<Fragment> bytes_compare(const Field& field, const FieldForm& form, Order order,
                                      const Value& operand) {
  if (order != Order::eq) return std::nullopt;
  if (form.hides_part_of(operand.text())) return never();
  const bool can_be_text = !is_utf8(operand.text()) && field.storage != Kind::bytes;
  if (!can_be_text) return compare_sql(field, order, operand);
  Fragment sql{"(" + field.column + " IN (", {}};
  sql.bind(Bytes{std::string(operand.text())}).add(",").bind(std::string(operand.text()));
  return std::move(sql.add("))"));
}

// Columns compared in their stored form: numbers, texts and blobs.
std::optional<Fragment> plain_compare(const Field& field, const FieldForm& form, Order order,
                                      const Value& operand) {
  if (operand.is_string()) return text_compare(field, form, order, operand);
  if (operand.is_bytes()) return bytes_compare(field, form, order, operand);
  if (!operand.is_number() || is_nan(operand)) return never();
  return compare_sql(field, order, operand);
}

// A stored 0 or 1 is a boolean, which is no number.
std::optional<Fragment> boolean_compare(const Field& field, const FieldForm& form, Order order,
                                        const Value& operand) {
  if (operand.is_boolean()) return compare_sql(field, order, operand);
  return operand.is_number() ? std::nullopt : plain_compare(field, form, order, operand);
}

std::optional<Fragment> date_compare(const Field& field, Order order, const Value& operand) {
  if (operand.is_date()) {
    const bool is_number =
        field.date_form != DateForm::iso_text && field.date_form != DateForm::none;
    if (!is_number) return std::nullopt;
    return date_compare_sql(field, order, operand.integer());
  }
  // A stored value that is no date keeps its own type.
  if (operand.is_number() || operand.is_string() || operand.is_bytes()) return std::nullopt;
  return never();
}

bool is_listable(const Value& value) {
  return value.is_string() || value.is_number() || value.is_nullish();
}

class SqliteDialect final : public Dialect {
 public:
  std::optional<Fragment> compare(const Field& field, const FieldForm& form, Order order,
                                  const Value& operand) const override {
    if (operand.is_nullish()) return compare_sql(field, order, operand);
    if (form.is(Form::date)) return date_compare(field, order, operand);
    if (form.is(Form::boolean)) return boolean_compare(field, form, order, operand);
    return form.is(Form::plain) ? plain_compare(field, form, order, operand) : std::nullopt;
  }

  std::optional<Fragment> one_of(const Field& field, const FieldForm& form,
                                 const OneOf& set) const override {
    constexpr std::size_t kMostAlternatives = 50;
    const Array& values = set.values();
    const auto is_stored = [&form](const Value& value) {
      if (value.is_string()) return !form.hides_part_of(value.text());
      return value.is_nullish() || (value.is_number() && !is_nan(value));
    };
    const bool is_list =
        form.is(Form::plain) && std::all_of(values.begin(), values.end(), is_stored);
    if (is_list) return one_of_sql(field, set);
    if (values.size() > kMostAlternatives) return std::nullopt;
    std::vector<Fragment> parts;
    for (const Value& value : values) {
      auto one = compare(field, form, Order::eq, value);
      if (!one) return std::nullopt;
      parts.push_back(std::move(*one));
    }
    return joined(std::move(parts), " OR ", "0");
  }

  Fragment compare_bounds(const Field& field, const FieldForm& form, Order order,
                          const Value& operand) const override {
    if (order == Order::eq && is_listable(operand)) {
      return stored_as_one_of(field, form, {operand}).value_or(Fragment{});
    }
    const bool has_range =
        form.is(Form::date) && field.date_form == DateForm::iso_text && operand.is_date();
    if (!has_range) return {};
    const Fragment range = date_text_range(field, order, operand.integer());
    if (range.empty()) return {};
    return std::move(Fragment{"(", {}}.add(range).add(")"));
  }

  Fragment one_of_bounds(const Field& field, const FieldForm& form,
                         const OneOf& set) const override {
    constexpr std::size_t kMostListed = 1000;  // longer lists do not narrow the search
    const Array& values = set.values();
    if (values.size() <= kMostListed && std::all_of(values.begin(), values.end(), is_listable)) {
      if (auto list = stored_as_one_of(field, form, values)) return std::move(*list);
    }
    const auto dates = std::span(set.values()).subspan(set.has_null() ? 1 : 0);
    if (dates.empty() || !dates.front().is_date() || !dates.back().is_date()) return {};
    const Fragment low = compare_bounds(field, form, Order::gte, dates.front());
    const Fragment high = compare_bounds(field, form, Order::lte, dates.back());
    if (low.empty() || high.empty()) return {};
    Fragment range{set.has_null() ? "(" + field.column + " IS NULL OR (" : "((", {}};
    return std::move(range.add(low).add(" AND ").add(high).add("))"));
  }

  Fragment prefix(const Field& field, const std::string& prefix) const override {
    return prefix_sql(field, prefix);
  }
};

class MuteDialect final : public Dialect {
 public:
  std::optional<Fragment> compare(const Field& /*field*/, const FieldForm& /*form*/,
                                  Order /*order*/, const Value& /*operand*/) const override {
    return std::nullopt;
  }
  std::optional<Fragment> one_of(const Field& /*field*/, const FieldForm& /*form*/,
                                 const OneOf& /*set*/) const override {
    return std::nullopt;
  }
  Fragment compare_bounds(const Field& /*field*/, const FieldForm& /*form*/, Order /*order*/,
                          const Value& /*operand*/) const override {
    return {};
  }
  Fragment one_of_bounds(const Field& /*field*/, const FieldForm& /*form*/,
                         const OneOf& /*set*/) const override {
    return {};
  }
  Fragment prefix(const Field& /*field*/, const std::string& /*prefix*/) const override {
    return {};
  }
};

}  // namespace

const Dialect& sqlite_dialect() {
  static const SqliteDialect dialect;
  return dialect;
}

const Dialect& mute_dialect() {
  static const MuteDialect dialect;
  return dialect;
}

}  // namespace gantry::data
