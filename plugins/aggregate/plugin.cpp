// The aggregate family: pipelines and groups through the service gantry.data/1.
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class AggregatePlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    data_ = gantry::Data::of(host());
    return data_ ? gantry::Status() : gantry::Status::failed("the host has no gantry.invoke/1");
  }

  void offer(gantry::Offer& offer) override {
    add(offer, "aggregate", aggregate::aggregate);
    add(offer, "group_by", aggregate::group_by);
    add(offer, "group_by_date", aggregate::group_by_date);
    add(offer, "distinct", aggregate::distinct);
  }

 private:
  void add(gantry::Offer& offer, std::string_view name,
           void (*tool)(const gantry::Data&, gantry::Call&)) {
    offer.handler(name, [this, tool](gantry::Call& call) { tool(*data_, call); });
  }

  std::optional<gantry::Data> data_;
};

}  // namespace

GANTRY_PLUGIN(AggregatePlugin)
