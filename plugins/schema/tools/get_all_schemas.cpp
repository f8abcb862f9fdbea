#include "core/pass_through.hpp"
#include "tools/tools.hpp"

namespace schema_tools {

void get_all_schemas(const gantry::Data& data, gantry::Call& call) {
  pass_through(data, call, "schemas");
}

}  // namespace schema_tools
