// The discovery family: an overview of the available tools in few tokens.
#include <gantry/plugin.hpp>
#include <gantry/services.hpp>

#include "core/light_catalog.hpp"

namespace {

class DiscoveryPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    catalog_ = gantry::Catalog::of(host());
    return catalog_.status();
  }

  void offer(gantry::Offer& offer) override {
    offer.handler("list_tools", [this](gantry::Call& call) { list_tools(call); });
  }

 private:
  void list_tools(gantry::Call& call) {
    const auto items = catalog_->items(call);
    if (!items) {
      (void)call.fail("internal_error", items.message());
      return;
    }
    const auto arguments = gantry::Json::parse(call.arguments());
    const auto category = arguments ? arguments->find("category") : std::nullopt;
    (void)call.structured(discovery::light_catalog(
        *items, category ? category->as_string().value_or("") : std::string()));
  }

  gantry::Available<gantry::Catalog> catalog_;
};

}  // namespace

GANTRY_PLUGIN(DiscoveryPlugin)
