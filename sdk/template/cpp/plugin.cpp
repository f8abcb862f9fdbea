// The plugin class: its configuration and the list of its items.
#include <gantry/plugin.hpp>

#include "tools/greet.hpp"

namespace {

struct Config {
  std::string greeting = "Hello";

  static constexpr auto fields() {
    return gantry::fields(
        gantry::field("greeting", &Config::greeting, "What to say before the name").optional());
  }
};

class Greeter : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    gantry::Result<Config> config = host().config<Config>();
    if (!config) return config.status();
    config_ = std::move(*config);
    return {};
  }

  void offer(gantry::Offer& offer) override {
    offer
        .tool("hello_cpp_greet", "Greets a person by name.",
              [this](const greeting::GreetArgs& args) {
                return greeting::greet(config_.greeting, args);
              })
        .title("Greet")
        .non_blocking();
  }

 private:
  Config config_;
};

}  // namespace

GANTRY_PLUGIN(Greeter)
