// host/auth/filter_names.hpp (private): the fields that a row filter names, for people.
//
// Pure function; any thread.
#pragma once

#include <string>
#include <vector>

#include <rapidjson/fwd.h>

namespace gantry::host {

// "Order.status", "default.region": of {"Order": {"status": …}, "default": {"region": …}}, each
// once, sorted. Fields inside $and, $or and $nor too; never a value.
std::vector<std::string> filter_names(const rapidjson::Value& filters);

}  // namespace gantry::host
