// Instants stored as numbers: only the operand is converted, so that indexes can be used.
#include <algorithm>

#include "ops/plan_compare.hpp"

namespace gantry::data {
namespace {

using where::Order;

// Numbers outside of four-digit years are not dates; see fits_iso_date().
constexpr std::int64_t kFirst = -62'167'219'200'000, kLast = 253'402'300'799'999;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// The inclusive range of stored whole numbers that match.
struct Span {
  std::int64_t from, to;
};

Span span_of(std::int64_t unit, Order order, std::int64_t millis) {
  const std::int64_t below = floor_div(millis, unit);
  const std::int64_t above = below + (millis % unit == 0 ? 0 : 1);
  Span span{-floor_div(-kFirst, unit), floor_div(kLast, unit)};
  if (order == Order::eq) return {std::max(span.from, above), std::min(span.to, below)};
  if (order == Order::gt) span.from = std::max(span.from, below + 1);
  if (order == Order::gte) span.from = std::max(span.from, above);
  if (order == Order::lt) span.to = std::min(span.to, above - 1);
  if (order == Order::lte) span.to = std::min(span.to, below);
  return span;
}

bool is_date(std::int64_t millis) { return millis >= kFirst && millis <= kLast; }

Fragment between(const Field& field, Bind from, Bind to) {
  Fragment sql{"(" + field.column + " BETWEEN ", {}};
  return std::move(sql.bind(std::move(from)).add(" AND ").bind(std::move(to)).add(")"));
}

// The Julian day number `days` away from an instant: a margin far above rounding errors.
double julian(std::int64_t millis, int days) {
  return static_cast<double>(millis) / 86'400'000.0 + 2'440'587.5 + days;
}

}  // namespace

std::optional<Fragment> plan_instant(const Field& field, Order order, std::int64_t millis) {
  const bool is_millis = field.date_form == DateForm::epoch_millis;
  if (!is_millis && field.date_form != DateForm::epoch_seconds) return std::nullopt;
  // The engine rounds reals to milliseconds; SQL would not.
  if (field.storage != Kind::integer || !is_date(millis)) return std::nullopt;
  const Span span = span_of(is_millis ? 1 : 1000, order, millis);
  if (span.from > span.to) return Fragment{"0", {}};
  return between(field, span.from, span.to);
}

Fragment plan_instant_bounds(const Field& field, Order order, std::int64_t millis) {
  if (!is_date(millis)) return {};
  if (field.date_form == DateForm::julian) {
    const bool is_open_above = order == Order::gt || order == Order::gte;
    const bool is_open_below = order == Order::lt || order == Order::lte;
    return between(field, julian(is_open_below ? kFirst : millis, -1),
                   julian(is_open_above ? kLast : millis, 1));
  }
  const std::int64_t unit = field.date_form == DateForm::epoch_millis ? 1 : 1000;
  const Order wider = order == Order::gt ? Order::gte : order == Order::lt ? Order::lte : order;
  Span span = span_of(unit, wider, millis);
  if (order == Order::eq) span = {floor_div(millis, unit), floor_div(millis, unit) + 1};
  return between(field, span.from - 1, span.to + 1);
}

}  // namespace gantry::data
