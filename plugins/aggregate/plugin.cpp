// The aggregate family: pipelines and groups through the service gantry.data/1.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class AggregatePlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  void offer(gantry::Offer& offer) override {
    tool(offer, "aggregate", aggregate::aggregate);
    tool(offer, "group_by", aggregate::group_by);
    tool(offer, "group_by_date", aggregate::group_by_date);
    tool(offer, "distinct", aggregate::distinct);
  }
};

}  // namespace

GANTRY_PLUGIN(AggregatePlugin)
