// ops/group_spec.hpp: parses the arguments of the grouping operations into stages.
#pragma once

#include <string>
#include <vector>

#include "ops/request.hpp"
#include "plan/read.hpp"

namespace gantry::data {

struct Grouping {
  Read read;
  Value shown;       // the stages, including the where: for dry runs
  Value parameters;  // the arguments with their defaults
  // The fields to group by. With `names` the key is an object, with these names for the fields; a
  // path's dots are underscores in a name.
  std::vector<std::string> fields, names;
  std::string operation;  // empty for distinct
  std::uint64_t limit = 0;
};

// All throw QueryError.
Grouping read_group_by(const Request& request);
Grouping read_group_by_date(const Request& request);
Grouping read_distinct(const Request& request);

}  // namespace gantry::data
