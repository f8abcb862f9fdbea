// The query family: rows, counts and objects through the service gantry.data/1.
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class QueryPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    data_ = gantry::Data::of(host());
    return data_ ? gantry::Status() : gantry::Status::failed("the host has no gantry.invoke/1");
  }

  void offer(gantry::Offer& offer) override {
    add(offer, "query_class", query::query_class);
    add(offer, "count_objects", query::count_objects);
    add(offer, "get_object", query::get_object);
    add(offer, "get_objects", query::get_objects);
    add(offer, "get_sample_objects", query::get_sample_objects);
    add(offer, "explain_query", query::explain_query);
  }

 private:
  void add(gantry::Offer& offer, std::string_view name,
           void (*tool)(const gantry::Data&, gantry::Call&)) {
    offer.handler(name, [this, tool](gantry::Call& call) { tool(*data_, call); });
  }

  std::optional<gantry::Data> data_;
};

}  // namespace

GANTRY_PLUGIN(QueryPlugin)
