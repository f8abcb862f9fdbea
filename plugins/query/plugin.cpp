// The query family: rows, counts and objects through the service gantry.data/1.
#include <gantry/data_plugin.hpp>

#include "tools/tools.hpp"

namespace {

class QueryPlugin final : public gantry::DataPlugin {
 public:
  using DataPlugin::DataPlugin;

  void offer(gantry::Offer& offer) override {
    tool(offer, "query_class", query::query_class);
    tool(offer, "count_objects", query::count_objects);
    tool(offer, "get_object", query::get_object);
    tool(offer, "get_objects", query::get_objects);
    tool(offer, "get_sample_objects", query::get_sample_objects);
    tool(offer, "explain_query", query::explain_query);
  }
};

}  // namespace

GANTRY_PLUGIN(QueryPlugin)
