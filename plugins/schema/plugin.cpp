// The schema family: lists the classes and describes them.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class SchemaPlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  gantry::Status start() override {
    catalog_ = gantry::Catalog::of(host());
    const gantry::Status started = DataPlugin::start();
    return started ? catalog_.status() : started;
  }

  void offer(gantry::Offer& offer) override {
    tool(offer, "get_all_schemas", schema_tools::get_all_schemas);
    offer.handler("get_schema", [this](gantry::Call& call) {
      schema_tools::get_schema(data(), *catalog_, call);
    });
  }

 private:
  gantry::Available<gantry::Catalog> catalog_;
};

}  // namespace

GANTRY_PLUGIN(SchemaPlugin)
