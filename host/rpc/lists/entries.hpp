// host/rpc/lists/entries.hpp: the JSON of list entries, by protocol revision.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

#include "host/plugin/manifest.hpp"

namespace gantry::host::rpc {

// A tool, prompt, resource or resource template. `can_be_task`: clients of the revision that
// requests tasks may request one of this tool.
std::string entry_of(const ItemSpec& spec, std::string_view revision, bool can_be_task = false);

// One of the resources that a template's plugin lists.
struct ListedResource {
  std::string uri, entry;
  std::string problem;  // the reason why it is left out; empty: it is listed
};
ListedResource listed_resource(const rapidjson::Value& value, const ItemSpec& uri_template,
                               std::string_view revision);

}  // namespace gantry::host::rpc
