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
#include <gantry/detail/offer_slot.hpp>

namespace gantry {

namespace detail {
template <class P>
class Entry;
}  // namespace detail

class Plugin {
 public:
  explicit Plugin(Host host) : host_(host) {}
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  // Lists what the plugin offers; called once after start(), and by reoffer() without arguments.
  virtual void offer(Offer& offer) = 0;

  // Begins work; threads may be made. A failed Status refuses the plugin with its sentence.
  virtual Status start() { return {}; }
  // Ends work: finish every PendingCall, join every thread. No handler runs any more.
  virtual Status stop(std::chrono::steady_clock::time_point /*deadline*/) { return {}; }
  // Only asked when the manifest says "self_check": is everything there that the plugin needs?
  virtual Status self_check() { return {}; }

 protected:
  const Host& host() const { return host_; }

  // Replaces the offer while the plugin runs, at once and as a whole. Calls that are running go on;
  // calls that the host admitted under the offer before still find their handlers there. What
  // lists show changes when it returns. Only for plugins that announce ("items": "probe").
  // Errors: why the host refuses it (it logs more); the old offer then stays.
  // Threads: any, from the end of start() until stop(); also inside handlers.
  Status reoffer(Offer offer) { return slot_.replace(host_, std::move(offer)); }
  // With what offer() lists now; offer() may then run on any thread.
  Status reoffer() {
    Offer fresh;
    offer(fresh);
    return reoffer(std::move(fresh));
  }

 private:
  template <class P>
  friend class detail::Entry;

  Host host_;
  detail::OfferSlot slot_;
};

}  // namespace gantry

#include <gantry/detail/entry.hpp>

// Once, at namespace scope, in the file that is the plugin's edge.
#define GANTRY_PLUGIN(Type)                                                      \
  extern "C" {                                                                   \
  const gantry_plugin gantry_plugin_v1 = ::gantry::detail::Entry<Type>::table(); \
  }
