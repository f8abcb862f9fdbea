// The mutation family: previewed, approved and conditional changes, and methods of classes.
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class MutationPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    data_ = gantry::Data::of(host());
    invoke_ = gantry::Invoke::of(host());
    catalog_ = gantry::Catalog::of(host());
    if (!data_) return data_.status();
    return invoke_ ? catalog_.status() : invoke_.status();
  }

  void offer(gantry::Offer& offer) override {
    tool(offer, "call_method", mutation::call_method);
    tool(offer, "create_object", mutation::create_object);
    tool(offer, "update_object", mutation::update_object);
    tool(offer, "delete_object", mutation::delete_object);
    tool(offer, "create_class", mutation::create_class);
    tool(offer, "delete_class", mutation::delete_class);
  }

 private:
  void tool(gantry::Offer& offer, std::string_view name, mutation::Tool run) {
    offer.handler(name, [this, run](gantry::Call& call) {
      run({*data_, *invoke_, *catalog_, tokens_}, call);
    });
  }

  gantry::Available<gantry::Data> data_;
  gantry::Available<gantry::Invoke> invoke_;
  gantry::Available<gantry::Catalog> catalog_;
  mutation::PlanTokens tokens_;
};

}  // namespace

GANTRY_PLUGIN(MutationPlugin)
