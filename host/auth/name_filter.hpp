// host/auth/name_filter.hpp (private): reads, prints and intersects allow and deny lists.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

#include "host/auth/agent.hpp"

namespace gantry::host {

// An array means `only`. `where` names the value in messages.
Result<NameFilter> read_filter(const rapidjson::Value& value, const std::string& where);

// {"only": […], "except": […]}
void append_filter(std::string& out, const NameFilter& filter);
void append_names(std::string& out, const std::vector<std::string>& names);

// Whether the entries of a list mean one thing each, or "name" means every "Class.name" too.
enum class Entries { plain, qualified };

// What both allow. GANTRY_INVALID_ARGUMENT: nothing; no caller can want that. `what` names it.
Result<NameFilter> intersected(const NameFilter& parent, const NameFilter& wanted, Entries entries,
                               std::string_view what);

// Whether a list of method names has "name" or "Class.name".
bool has_method(const std::vector<std::string>& names, std::string_view class_name,
                std::string_view name);

}  // namespace gantry::host
