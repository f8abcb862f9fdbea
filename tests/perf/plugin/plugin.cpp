// What is measured against the limit: a usual small tool, and one that does nothing.
#include <gantry/plugin.hpp>

namespace {

struct Words {
  std::string text;

  static constexpr auto fields() {
    return gantry::fields(gantry::field("text", &Words::text, "What comes back"));
  }
};

class PerfEcho final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  void offer(gantry::Offer& offer) override {
    offer.tool("echo", "Says its text again.", [](const Words& words) { return words.text; })
        .non_blocking();
    offer.tool("nothing", "Does nothing.", [] {}).non_blocking();
  }
};

}  // namespace

GANTRY_PLUGIN(PerfEcho)
