// The fixtures of the MCP conformance suite, for tests only.
#include "fixtures/fixtures.hpp"

namespace {

class Conformance final : public gantry::Plugin {
 public:
  explicit Conformance(gantry::Host host)
      : Plugin(host), changes_(host, [this] { return items(); }) {}

  gantry::Status start() override {
    later_.start();
    return {};
  }

  gantry::Status stop(std::chrono::steady_clock::time_point) override {
    later_.stop();
    return {};
  }

  void offer(gantry::Offer& offer) override {
    conformance::add_content(offer);
    conformance::add_schemas(offer);
    conformance::add_reporting(offer);
    conformance::add_reconnection(offer, later_);
    conformance::add_asking(offer);
    conformance::add_rounds(offer);
    conformance::add_tasks(offer, later_);
    conformance::add_triggers(offer, changes_);
  }

 private:
  // The offer as it is now: the descriptions of what changes are others each time.
  std::string items() {
    gantry::Offer now;
    offer(now);
    return now.items();
  }

  conformance::Later later_;
  conformance::Changes changes_;
};

}  // namespace

GANTRY_PLUGIN(Conformance)
