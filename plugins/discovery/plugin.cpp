// The discovery family: the available tools in few tokens, and what the caller may do.
#include <gantry/data.hpp>
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class DiscoveryPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    catalog_ = gantry::Catalog::of(host());
    data_ = gantry::Data::of(host());
    return catalog_ ? data_.status() : catalog_.status();
  }

  void offer(gantry::Offer& offer) override {
    offer.handler("list_tools",
                  [this](gantry::Call& call) { discovery::list_tools(*catalog_, call); });
    offer.handler("describe_access", [this](gantry::Call& call) {
      discovery::describe_access(*catalog_, *data_, call);
    });
  }

 private:
  gantry::Available<gantry::Catalog> catalog_;
  gantry::Available<gantry::Data> data_;
};

}  // namespace

GANTRY_PLUGIN(DiscoveryPlugin)
