// tools/tools.hpp (private): the tools of the discovery family, one file each.
//
// Each answers its call. Threads: those of the call.
#pragma once

#include <gantry/data.hpp>
#include <gantry/plugin.hpp>

namespace discovery {

void list_tools(const gantry::Catalog& catalog, gantry::Call& call);
void describe_access(const gantry::Catalog& catalog, const gantry::Data& data, gantry::Call& call);

}  // namespace discovery
