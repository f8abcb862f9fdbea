#include "write/dates.hpp"

#include <algorithm>

#include "values/iso_date.hpp"
#include "values/iso_shape.hpp"

namespace gantry::data::write {

std::optional<std::int64_t> instant_of(const Cell& cell) {
  if (cell.is(Cell::Type::text) || cell.is(Cell::Type::lexical)) {
    return parse_iso_date(cell.text);
  }
  const bool is_date = cell.is(Cell::Type::date) && fits_iso_date(cell.integer);
  return is_date ? std::optional(cell.integer) : std::nullopt;
}

bool is_finer_than_milliseconds(std::string_view iso) {
  constexpr std::size_t kDigits = 3;
  const auto point = iso.find('.');
  if (point == std::string_view::npos) return false;
  const std::string_view fraction = iso.substr(point + 1);
  const auto end = std::min(fraction.find_first_not_of("0123456789"), fraction.size());
  return end > kDigits &&
         fraction.substr(kDigits, end - kDigits).find_first_not_of('0') != std::string_view::npos;
}

bool can_store(std::int64_t value, Form form) {
  if (form == Form::date_ms) return fits_iso_date(value);
  constexpr std::int64_t kMost = 1'000'000'000'000;  // so that the product fits
  return value > -kMost && value < kMost && fits_iso_date(value * 1000);
}

double julian_day(std::int64_t milliseconds) {
  return 2440587.5 + static_cast<double>(milliseconds) / 86'400'000.0;
}

std::optional<std::string> date_text(const Cell& cell, std::int64_t when,
                                     const std::string& shape) {
  const bool is_text = !cell.is(Cell::Type::date);
  if (is_text && (shape.empty() || iso_shape(cell.text) == shape)) return cell.text;
  if (is_text && is_finer_than_milliseconds(cell.text)) return std::nullopt;
  if (!shape.empty()) return iso_text_of_shape(when, shape);
  std::string text;
  append_iso_date(when, text);
  return text;
}

}  // namespace gantry::data::write
