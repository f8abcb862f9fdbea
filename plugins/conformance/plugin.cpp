// The fixtures of the MCP conformance suite, for tests only.
#include "fixtures/fixtures.hpp"

namespace {

class Conformance final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    changes_.reoffer = [this] { return reoffer(); };
    later_.start();
    return {};
  }

  gantry::Status stop(std::chrono::steady_clock::time_point) override {
    later_.stop();
    return {};
  }

  // The offer's order is that of the lists: the suite calls the first tool without arguments and
  // expects success.
  void offer(gantry::Offer& offer) override {
    conformance::add_content(offer);
    conformance::add_schemas(offer);
    conformance::add_reporting(offer);
    conformance::add_reconnection(offer, later_);
    conformance::add_asking(offer);
    conformance::add_rounds(offer);
    conformance::add_tasks(offer, later_);
    conformance::add_resources(offer);
    conformance::add_prompts(offer, changes_);
    conformance::add_triggers(offer, changes_);
  }

 private:
  conformance::Later later_;
  conformance::Changes changes_;
};

}  // namespace

GANTRY_PLUGIN(Conformance)
