// ops/error_details.hpp: the `details` member of an error as JSON.
#pragma once

#include <string>

#include "errors/error.hpp"

namespace gantry::data {

// A JSON object, or empty text if there are no details beyond the message.
std::string error_details(const DataError& error);

}  // namespace gantry::data
