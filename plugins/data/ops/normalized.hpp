// ops/normalized.hpp: one text for requests that mean the same.
//
// Pure; any thread.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>
#include <vector>

namespace gantry::data {

using JsonMember = rapidjson::Value::ConstMemberIterator;

// The arguments in the order of their names, without those that are null, which count as absent.
std::vector<JsonMember> in_order(const rapidjson::Value& arguments);

// {"op":…,"args":{…}} without blanks, with the arguments in_order(). Nothing else of a value
// changes.
std::string normalized(std::string_view op, const rapidjson::Value& arguments);

}  // namespace gantry::data
