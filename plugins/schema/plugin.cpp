// The schema family: lists the classes and describes them.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class SchemaPlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  void offer(gantry::Offer& offer) override {
    tool(offer, "get_all_schemas", schema_tools::get_all_schemas);
    tool(offer, "get_schema", schema_tools::get_schema);
  }
};

}  // namespace

GANTRY_PLUGIN(SchemaPlugin)
