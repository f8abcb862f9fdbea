#include "core/methods.hpp"
#include "tools/tools.hpp"

namespace schema_tools {

void get_schema(const gantry::Data& data, const gantry::Catalog& catalog, gantry::Call& call) {
  const gantry::DataReply reply = data.run(call, "schema", call.arguments());
  if (!reply.status) return gantry::Data::fail(call, reply);
  const auto methods = catalog.items(call, "method");
  (void)call.structured(with_methods(reply.meta, methods ? *methods : "[]"));
}

}  // namespace schema_tools
