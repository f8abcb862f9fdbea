// expr/dates/date_parts.hpp: $year, $month, … $isoDayOfWeek: one component of a date.
#pragma once

#include <span>

#include "expr/registry.hpp"

namespace gantry::data::expr {

// Each takes a date, [a date] or {date, timezone}.
std::span<const Form> date_part_forms();

}  // namespace gantry::data::expr
