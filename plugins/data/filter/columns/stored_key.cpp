#include "filter/columns/stored_key.hpp"

#include "sql/scalar.hpp"
#include "values/iso_date.hpp"
#include "values/matcher.hpp"
#include "view/value_writer.hpp"

namespace gantry::data::columns {
namespace {

// Accepts date texts of one shape and zone, which sort by time.
class AlikeMatcher final : public Matcher {
 public:
  AlikeMatcher(std::string shape, std::string zone)
      : shape_(std::move(shape)), zone_(std::move(zone)) {}
  bool match(const StoredValue& value) const override {
    return value.is_text() && has_iso_shape(value.bytes, shape_) &&
           iso_zone(value.bytes) == zone_ && instant_of(value, DateForm::iso_text).has_value();
  }

 private:
  const std::string shape_, zone_;
};

// Numbers before texts in both; SQLite compares blobs bytewise, the engine by length first.
std::optional<StoredKey> plain_key(const Field& field) {
  if (field.kind == Kind::bytes || field.storage == Kind::bytes) return std::nullopt;
  StoredKey key{by_bytes(field), {}};
  if (field.storage == Kind::any) key.exception.plain.add("(" + field.column + " >= x'')");
  return key;
}

std::optional<StoredKey> boolean_key(const Field& field) {
  if (!field.numeric_affinity) return std::nullopt;
  const std::string& column = field.column;
  Fragment exception{
      "(" + column + " < 0 OR " + column + " > 1 OR (" + column + " > 0 AND " + column + " < 1))",
      {}};
  return StoredKey{column, {std::move(exception), {}}};
}

// Texts of several zones have one shape, "+00:00".
bool has_one_zone(const Field& field) {
  const std::string_view zone = iso_zone(field.iso_shape);
  return zone.empty() || zone == "Z" || !field.iso_zone.empty();
}

std::optional<StoredKey> text_date_key(const Field& field) {
  constexpr std::size_t kUpToMillis = 23;
  if (field.iso_shape.empty() || !has_one_zone(field)) return std::nullopt;
  Fragment other{"NOT gantry_match(", {}};
  other.bind(std::make_shared<const AlikeMatcher>(field.iso_shape, field.iso_zone))
      .add(", " + field.column + ")");
  const std::size_t digits = field.iso_shape.size() - iso_zone(field.iso_shape).size();
  return StoredKey{by_bytes(field),
                   {{field.column + " IS NOT NULL", {}}, std::move(other)},
                   digits > kUpToMillis};
}

std::optional<StoredKey> date_key(const Field& field) {
  if (field.date_form == DateForm::iso_text) return text_date_key(field);
  const bool is_millis = field.date_form == DateForm::epoch_millis;
  if (!is_millis && field.date_form != DateForm::epoch_seconds) return std::nullopt;
  // Numbers outside of four-digit years are not dates; reals are rounded.
  const std::string first = is_millis ? "-62167219200000" : "-62167219200";
  const std::string last = is_millis ? "253402300799999" : "253402300799";
  std::string exception = "(" + field.column + " < " + first + " OR " + field.column + " > " + last;
  if (field.storage != Kind::integer) exception += " OR typeof(" + field.column + ")='real'";
  return StoredKey{field.column, {{exception + ")", {}}, {}}};
}

}  // namespace

std::optional<StoredKey> stored_key(const Column& column) {
  using Type = FieldForm::Type;
  if (column.is(Type::plain)) return plain_key(column.field);
  if (column.is(Type::boolean)) return boolean_key(column.field);
  if (column.is(Type::date)) return date_key(column.field);
  return std::nullopt;
}

}  // namespace gantry::data::columns
