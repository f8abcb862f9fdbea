// ops/too_large.hpp: the error for an answer that would be too large, and its remedies.
#pragma once

#include <optional>
#include <string>

#include "ops/request.hpp"
#include "ops/row_reader.hpp"

namespace gantry::data {

// The heaviest field that may be dropped; empty if only the common fields are left.
std::string heaviest_field(const Rows& rows);

// invalid_argument with details {kind: response_too_large, bytes, limit, largest_fields, keys}.
DataError response_too_large(const Request& request, const Rows& rows);

}  // namespace gantry::data
