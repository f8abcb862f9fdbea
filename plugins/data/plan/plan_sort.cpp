#include "plan/plan_sort.hpp"

#include "plan/plan_column.hpp"
#include "sql/scalar.hpp"
#include "sql/seen_text.hpp"
#include "values/iso_date.hpp"
#include "values/matcher.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {
namespace {

// Accepts date texts of this shape (see iso_shape()); texts of one shape sort by time.
class ShapeMatcher final : public Matcher {
 public:
  explicit ShapeMatcher(std::string shape) : shape_(std::move(shape)) {}
  bool match(const StoredValue& value) const override {
    return value.is_text() && iso_shape(value.bytes) == shape_ &&
           instant_of(value, DateForm::iso_text).has_value();
  }

 private:
  std::string shape_;
};

// One column's sort key, and the values that it does not sort correctly.
struct KeySql {
  std::string text;
  Predicate exception;
};

// Numbers before texts in both; SQLite compares blobs bytewise, the engine by length first.
std::optional<KeySql> plain_key(const Field& field) {
  if (field.kind == Kind::bytes || field.storage == Kind::bytes) return std::nullopt;
  KeySql key{by_bytes(field), {}};
  if (field.storage == Kind::any) key.exception.plain.add("(" + field.column + " >= x'')");
  return key;
}

std::optional<KeySql> boolean_key(const Field& field) {
  if (!field.numeric_affinity) return std::nullopt;
  const std::string& column = field.column;
  Fragment exception{
      "(" + column + " < 0 OR " + column + " > 1 OR (" + column + " > 0 AND " + column + " < 1))",
      {}};
  return KeySql{column, {std::move(exception), {}}};
}

// Date texts of one shape, without a zone offset and with at most millisecond digits.
bool orders_as_text(const std::string& shape) {
  constexpr std::size_t kUpToMillis = 23;
  std::string_view digits = shape;
  if (digits.ends_with('Z')) digits.remove_suffix(1);
  return digits.size() >= 10 && digits.size() <= kUpToMillis &&
         digits.substr(10).find_first_of("+-") == std::string_view::npos;
}

std::optional<KeySql> date_key(const Field& field) {
  if (field.date_form == DateForm::iso_text) {
    if (!orders_as_text(field.iso_shape)) return std::nullopt;
    Fragment other{"NOT gantry_match(", {}};
    other.bind(std::make_shared<const ShapeMatcher>(field.iso_shape))
        .add(", " + field.column + ")");
    return KeySql{by_bytes(field), {{field.column + " IS NOT NULL", {}}, std::move(other)}};
  }
  const bool is_millis = field.date_form == DateForm::epoch_millis;
  if (!is_millis && field.date_form != DateForm::epoch_seconds) return std::nullopt;
  // Numbers outside of four-digit years are not dates; reals are rounded.
  const std::string first = is_millis ? "-62167219200000" : "-62167219200";
  const std::string last = is_millis ? "253402300799999" : "253402300799";
  std::string exception = "(" + field.column + " < " + first + " OR " + field.column + " > " + last;
  if (field.storage != Kind::integer) exception += " OR typeof(" + field.column + ")='real'";
  return KeySql{field.column, {{exception + ")", {}}, {}}};
}

std::optional<KeySql> key_sql(const columns::Column& column) {
  using Type = FieldForm::Type;
  if (column.is(Type::plain)) return plain_key(column.field);
  if (column.is(Type::boolean)) return boolean_key(column.field);
  if (column.is(Type::date)) return date_key(column.field);
  return std::nullopt;
}

}  // namespace

std::optional<SortSql> sort_sql(const Value& spec, const ClassView& cls) {
  SortSql sort;
  for (const Member& field : spec.members()) {
    if (!field.value.is_number()) return std::nullopt;
    const auto column = plan_column(field.name, cls);
    auto key = column ? key_sql(*column) : std::nullopt;
    if (!key) return std::nullopt;
    if (!sort.order.empty()) sort.order += ", ";
    sort.order += key->text + (field.value.number() < 0 ? " DESC" : "");
    if (may_hold_json(column->field, column->whole, cls)) {
      sort.exceptions.push_back(hides_text(column->field, column->whole));
    }
    if (!key->exception.empty()) sort.exceptions.push_back(std::move(key->exception));
  }
  return sort.order.empty() ? std::nullopt : std::optional(std::move(sort));
}

}  // namespace gantry::data
