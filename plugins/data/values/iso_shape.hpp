// values/iso_shape.hpp: instants as text of a shape (iso_shape() of values/iso_date.hpp). Pure
// functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

// The instant in UTC, whatever the zone of the shape; digits beyond milliseconds are 0. Empty if a
// text of that shape says less than the instant.
std::optional<std::string> iso_text_of_shape(std::int64_t milliseconds, std::string_view shape);

}  // namespace gantry::data
