// host/observe/field_text.hpp (private): fields of log lines and records as JSON text.
//
// Pure functions; any thread. They throw only std::bad_alloc.
#pragma once

#include <span>
#include <string>

#include "host/observe/log.hpp"

namespace gantry::host {

// The value as JSON text; a real with three decimals.
void append_value(std::string& out, const Field& field);
// ,"key":value for each field.
void append_members(std::string& out, std::span<const Field> fields);

}  // namespace gantry::host
