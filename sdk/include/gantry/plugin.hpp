// gantry/plugin.hpp: a plugin as a C++ class.
//
//   class Greeter : public gantry::Plugin {
//    public:
//     using Plugin::Plugin;
//     void offer(gantry::Offer& offer) override {
//       offer.tool("greet", "Greets somebody by name.", greet);
//     }
//   };
//   GANTRY_PLUGIN(Greeter)
//
// The constructor runs in create(): no threads yet. Every exception is caught at the contract's
// edge: in a handler it becomes a tool error, elsewhere a log line and a refused plugin.
// The manifest's "needs" must name gantry.call/1.
#pragma once

#include <chrono>

#include <gantry/abi/plugin.h>
#include <gantry/tool.hpp>

namespace gantry {

class Plugin {
 public:
  explicit Plugin(Host host) : host_(host) {}
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  // Lists what the plugin offers; called once, after start().
  virtual void offer(Offer& offer) = 0;

  // Begins work; threads may be made. A failed Status refuses the plugin with its sentence.
  virtual Status start() { return {}; }
  // Ends work: finish every PendingCall, join every thread. No handler runs any more.
  virtual Status stop(std::chrono::steady_clock::time_point /*deadline*/) { return {}; }
  // Only asked when the manifest says "self_check": is everything there that the plugin needs?
  virtual Status self_check() { return {}; }

 protected:
  const Host& host() const { return host_; }

 private:
  Host host_;
};

}  // namespace gantry

#include <gantry/detail/entry.hpp>

// Once, at namespace scope, in the file that is the plugin's edge.
#define GANTRY_PLUGIN(Type)                                                      \
  extern "C" {                                                                   \
  const gantry_plugin gantry_plugin_v1 = ::gantry::detail::Entry<Type>::table(); \
  }
