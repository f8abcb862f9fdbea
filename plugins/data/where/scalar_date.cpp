#include <optional>

#include "values/iso_date.hpp"
#include "where/scalar.hpp"

namespace gantry::data::where {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr double kMillisAtJulianZero = 210866760000000.0;

// The matching instants: [from, to), in whole milliseconds.
struct Span {
  std::optional<std::int64_t> from, to;
};

Span span_of(Order order, std::int64_t millis) {
  switch (order) {
    case Order::eq:
      return {millis, millis + 1};
    case Order::gt:
      return {millis + 1, std::nullopt};
    case Order::gte:
      return {millis, std::nullopt};
    case Order::lt:
      return {std::nullopt, millis};
    case Order::lte:
      return {std::nullopt, millis + 1};
  }
  return {};
}

// The smallest stored number that is read as `millis` or later: half a millisecond below, because
// reading rounds.
Bind boundary(DateForm form, std::int64_t millis) {
  const double half_before = static_cast<double>(millis) - 0.5;
  if (form == DateForm::epoch_seconds) return half_before / 1000.0;
  if (form == DateForm::julian) return (half_before + kMillisAtJulianZero) / 86'400'000.0;
  return millis;
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
  Fragment sql{"(" + type_guard(field, Value::Type::date), {}};
  if (field.date_form == DateForm::epoch_millis && order == Order::eq) {
    return std::move(sql.add(field.column).add(" = ").bind(millis).add(")"));
  }
  const Span span = span_of(order, millis);
  if (span.from) sql.add(field.column).add(" >= ").bind(boundary(field.date_form, *span.from));
  if (span.from && span.to) sql.add(" AND ");
  if (span.to) sql.add(field.column).add(" < ").bind(boundary(field.date_form, *span.to));
  return std::move(sql.add(")"));
}

Fragment date_text_range(const Field& field, Order order, std::int64_t millis) {
  // A zone moves the date in the text by at most one day in either direction.
  const Span span = span_of(order, millis);
  const auto low = span.from ? day_text(*span.from, -1) : std::nullopt;
  const auto high = span.to ? day_text(*span.to, 2) : std::nullopt;
  Fragment sql;
  if (low) sql.add(by_bytes(field)).add(" >= ").bind(*low);
  if (low && high) sql.add(" AND ");
  if (high) sql.add(by_bytes(field)).add(" < ").bind(*high);
  return sql;
}

}  // namespace gantry::data::where
