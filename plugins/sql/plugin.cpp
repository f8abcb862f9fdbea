// The SQL family: a caller's own SELECT, through the service gantry.data/1.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class SqlPlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  void offer(gantry::Offer& offer) override { tool(offer, "query_sql", sql::query_sql); }
};

}  // namespace

GANTRY_PLUGIN(SqlPlugin)
