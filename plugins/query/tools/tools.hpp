// tools/tools.hpp: the family's tools, one function and one file each.
#pragma once

#include <gantry/data.hpp>

namespace query {

void query_class(const gantry::Data& data, gantry::Call& call);
void count_objects(const gantry::Data& data, gantry::Call& call);
void get_object(const gantry::Data& data, gantry::Call& call);
void get_objects(const gantry::Data& data, gantry::Call& call);
void get_sample_objects(const gantry::Data& data, gantry::Call& call);
void explain_query(const gantry::Data& data, gantry::Call& call);

}  // namespace query
