// gantry/data_plugin.hpp: a plugin with tools that all use the service gantry.data/1.
//
//   class QueryPlugin final : public gantry::DataPlugin {
//    public:
//     using DataPlugin::DataPlugin;
//     void offer(gantry::Offer& offer) override { tool(offer, "count_objects", count_objects); }
//   };
//
// The manifest's "needs" must name gantry.invoke/1 and gantry.data/1. Threads as in Plugin.
//
// Owns: the service, three pointers. Errors: start() fails without gantry.invoke/1, which is a
// fault of the manifest; a missing gantry.data/1 is GANTRY_NOT_FOUND in each operation instead.
#pragma once

#include <string_view>

#include <gantry/data.hpp>
#include <gantry/plugin.hpp>

namespace gantry {

// A Plugin whose tools get the service as a parameter. The manifest lists the tools (offer.hpp,
// second way).
class DataPlugin : public Plugin {
 public:
  using Plugin::Plugin;
  // Answers its call itself, for instance with answer_with_data() (data_answer.hpp). An exception
  // becomes a tool error.
  using Tool = void (*)(const Data&, Call&);

  // Refuses the plugin if the host has no gantry.invoke/1. A class that overrides it calls it
  // first.
  Status start() override {
    data_ = Data::of(host());
    return data_.status();
  }

 protected:
  // The service, from start() on.
  // Before start() it throws MissingService.
  const Data& data() const { return *data_; }
  // Adds a handler for the manifest's tool `name`; `run` gets the service and is called after
  // start(). Call it in offer().
  void tool(Offer& offer, std::string_view name, Tool run) {
    offer.handler(name, [this, run](Call& call) { run(*data_, call); });
  }

 private:
  Available<Data> data_;
};

}  // namespace gantry
