#include "core/light_catalog.hpp"
#include "tools/tools.hpp"

namespace discovery {

void list_tools(const gantry::Catalog& catalog, gantry::Call& call) {
  const auto items = catalog.items(call);
  if (!items) {
    (void)call.fail("internal_error", items.message());
    return;
  }
  const auto arguments = gantry::Json::parse(call.arguments());
  const auto category = arguments ? arguments->find("category") : std::nullopt;
  (void)call.structured(
      light_catalog(*items, category ? category->as_string().value_or("") : std::string()));
}

}  // namespace discovery
