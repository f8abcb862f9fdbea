// write/dates.hpp: instants in the forms that columns store. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "write/cell.hpp"
#include "write/table.hpp"

namespace gantry::data::write {

// Milliseconds since 1970: of a date, and of ISO text.
std::optional<std::int64_t> instant_of(const Cell& cell);

// Whether an ISO text is finer than milliseconds.
bool is_finer_than_milliseconds(std::string_view iso);

// Whether a number is a date between the years 0 and 9999 in a column of dates in that form.
bool can_store(std::int64_t value, Form form);

double julian_day(std::int64_t milliseconds);

// The instant like the texts of `shape` (values/iso_date.hpp); empty where that would lose some of
// it. Without a shape: the cell's own text, or 2026-11-21T20:00:00.000Z.
std::optional<std::string> date_text(const Cell& cell, std::int64_t when, const std::string& shape);

}  // namespace gantry::data::write
