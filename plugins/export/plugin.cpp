// The export family: rows as text, through the service gantry.data/1.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class ExportPlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  void offer(gantry::Offer& offer) override { tool(offer, "export_data", exporting::export_data); }
};

}  // namespace

GANTRY_PLUGIN(ExportPlugin)
