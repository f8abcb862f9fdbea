// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>

namespace aggregate {

void aggregate(const gantry::Data& data, gantry::Call& call);
void group_by(const gantry::Data& data, gantry::Call& call);
void group_by_date(const gantry::Data& data, gantry::Call& call);
void distinct(const gantry::Data& data, gantry::Call& call);

}  // namespace aggregate
