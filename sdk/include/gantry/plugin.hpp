// gantry/plugin.hpp: a plugin as a C++ class.
//
//   class Greeter : public gantry::Plugin {
//    public:
//     using Plugin::Plugin;
//     void offer(gantry::Offer& offer) override {
//       offer.tool("greet", "Greets a person by name.", greet);
//     }
//   };
//   GANTRY_PLUGIN(Greeter)
//
// The constructor runs in create(): threads are not allowed yet. Every exception is caught at the
// contract's edge: in a handler it becomes a tool error, elsewhere a log line and a refused plugin.
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

  // Lists the plugin's items; called once after start(), and by reoffer() without arguments.
  virtual void offer(Offer& offer) = 0;

  // Begins work; threads are allowed. A failed Status refuses the plugin with its message.
  virtual Status start() { return {}; }
  // Ends work: finish every PendingCall and join every thread. No handler is running.
  virtual Status stop(std::chrono::steady_clock::time_point /*deadline*/) { return {}; }
  // Called only if the manifest says "self_check": checks that the plugin's dependencies work.
  virtual Status self_check() { return {}; }

 protected:
  const Host& host() const { return host_; }

  // Atomically replaces the offer while the plugin runs. Running calls continue; calls that the
  // host admitted under the previous offer still find their handlers. Lists have changed when it
  // returns. Only for plugins that announce ("items": "probe"). Errors: the host's reason for a
  // refusal (it logs more); the old offer stays. Threads: any, from the end of start() until
  // stop(); also inside handlers.
  Status reoffer(Offer offer) { return slot_.replace(host_, std::move(offer)); }
  // The same with a new list made by offer(), which may then run on any thread.
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

// Use once, at namespace scope, in the file with the plugin class.
#define GANTRY_PLUGIN(Type)                                                      \
  extern "C" {                                                                   \
  const gantry_plugin gantry_plugin_v1 = ::gantry::detail::Entry<Type>::table(); \
  }
