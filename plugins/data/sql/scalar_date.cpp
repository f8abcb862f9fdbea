#include <algorithm>
#include <optional>

#include "sql/scalar.hpp"
#include "values/iso_date.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr double kMillisAtJulianZero = 210866760000000.0;

// Numbers outside of four-digit years are no dates.
constexpr std::int64_t kFirst = -62'167'219'200'000, kEnd = 253'402'300'800'000;

// The matching instants: [from, to), in whole milliseconds.
struct Span {
  std::int64_t from, to;
};

Span span_of(Order order, std::int64_t millis) {
  millis = std::clamp(millis, kFirst - 1, kEnd);
  switch (order) {
    case Order::eq:
      return {std::max(millis, kFirst), std::min(millis + 1, kEnd)};
    case Order::gt:
      return {millis + 1, kEnd};
    case Order::gte:
      return {std::max(millis, kFirst), kEnd};
    case Order::lt:
      return {kFirst, millis};
    case Order::lte:
      return {kFirst, std::min(millis + 1, kEnd)};
  }
  return {};
}

// The smallest stored number that is read as `millis` or later: half a millisecond below, because
// reading rounds.
Bind boundary(const Field& field, std::int64_t millis) {
  const double half_before = static_cast<double>(millis) - 0.5;
  if (field.date_form == DateForm::epoch_seconds) return half_before / 1000.0;
  if (field.date_form == DateForm::julian) {
    return (half_before + kMillisAtJulianZero) / 86'400'000.0;
  }
  return field.storage == Kind::integer ? Bind(millis) : Bind(half_before);
}

// The date `days` days after that of `millis`; empty outside of years 0000 to 9999.
std::optional<std::string> day_text(std::int64_t millis, int days) {
  const std::int64_t shifted = millis + days * kDay;
  if (!fits_iso_date(shifted)) return std::nullopt;
  std::string text;
  append_iso_date(shifted, text);
  return text.substr(0, 10);
}

}  // namespace

Fragment date_compare_sql(const Field& field, Order order, std::int64_t millis) {
  const Span span = span_of(order, millis);
  if (span.from >= span.to) return {"0", {}};
  Fragment sql{"(" + type_guard(field, Value::Type::date) + field.column, {}};
  const bool is_one = order == Order::eq && field.date_form == DateForm::epoch_millis &&
                      field.storage == Kind::integer;
  if (is_one) return std::move(sql.add(" = ").bind(millis).add(")"));
  sql.add(" >= ").bind(boundary(field, span.from));
  return std::move(sql.add(" AND " + field.column + " < ").bind(boundary(field, span.to)).add(")"));
}

Fragment date_text_range(const Field& field, Order order, std::int64_t millis) {
  // A zone moves the date in the text by at most one day in either direction.
  const Span span = span_of(order, millis);
  const auto low = day_text(span.from, -1), high = day_text(span.to, 2);
  Fragment sql;
  if (low) sql.add(by_bytes(field)).add(" >= ").bind(*low);
  if (low && high) sql.add(" AND ");
  if (high) sql.add(by_bytes(field)).add(" < ").bind(*high);
  return sql;
}

}  // namespace gantry::data
