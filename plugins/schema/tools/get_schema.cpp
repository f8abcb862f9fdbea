#include "core/pass_through.hpp"
#include "tools/tools.hpp"

namespace schema_tools {

void get_schema(const gantry::Data& data, gantry::Call& call) {
  pass_through(data, call, "schema");
}

}  // namespace schema_tools
