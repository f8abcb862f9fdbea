#include <gantry/plugin.hpp>

namespace {

class Outside : public gantry::Plugin {
 public:
  using Plugin::Plugin;
  void offer(gantry::Offer& offer) override {
    offer.tool("hello", "Says hello.", [] { return std::string("hello from outside"); });
  }
};

}  // namespace

GANTRY_PLUGIN(Outside)
