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
// Life: constructor, start(), offer(), calls of handlers, stop(), destructor. The host calls these
// one after the other, never at the same time for one instance; while a plugin is replaced by a
// newer file, instances of both can live at once unless the manifest says "exclusive". Handlers run
// on threads of the host: one at a time, or many at once if the manifest says "reentrant".
//
// The constructor runs in create(): threads are not allowed yet. Every exception is caught at the
// contract's edge. In a handler it becomes a tool error with the text of what(), which the client
// sees; elsewhere it is a log line and a refused plugin. The manifest's "needs" must name
// gantry.call/1; without it the plugin is refused.
#pragma once

#include <chrono>

#include <gantry/abi/plugin.h>
#include <gantry/detail/offer_slot.hpp>

namespace gantry {

namespace detail {
template <class P>
class Entry;
}  // namespace detail

// The base class of a plugin. The derived class must have a constructor from a Host; it may look up
// services and read the configuration there, within 10 s.
//
// A plugin with a thread of its own ends it in stop(), and in the destructor for the case that the
// offer is refused:
//
//   gantry::Status start() override { return worker_ = std::thread([this] { work(); }), Status(); }
//   gantry::Status stop(std::chrono::steady_clock::time_point) override { return end(), Status(); }
//   ~Watcher() override { end(); }                    // wakes and joins worker_ if it is joinable
class Plugin {
 public:
  explicit Plugin(Host host) : host_(host) {}
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  // Lists the plugin's items. Called once after start(), and by reoffer() without arguments. An
  // exception, or an offer that the host refuses, refuses the plugin: then the destructor runs
  // without stop(), so it must also end the work that start() began.
  virtual void offer(Offer& offer) = 0;

  // Begins work, within 10 s; threads are allowed. A failed Status refuses the plugin with its
  // message; the destructor follows, stop() does not.
  virtual Status start() { return {}; }
  // Ends work: finish every PendingCall and join every thread. No handler is running and none
  // follows. A failed Status, or an exception, is logged, and the library then stays mapped.
  virtual Status stop(std::chrono::steady_clock::time_point /*deadline*/) { return {}; }
  // Called only if the manifest says "self_check", after start() and before the first call: checks
  // that the plugin's dependencies work, such as a server that it needs. A failed Status refuses
  // the plugin with its message.
  virtual Status self_check() { return {}; }

 protected:
  // The host, from the constructor on until the destructor has run. Any thread.
  const Host& host() const { return host_; }

  // Atomically replaces the offer while the plugin runs. Running calls continue: their handlers,
  // with all that they captured, live until they return. Calls that the host admitted under the
  // previous offer still find their handlers; those of the offer before that one end with
  // GANTRY_NOT_FOUND. Lists have changed when it returns, and clients are notified if a list that
  // they see differs. Concurrent calls of reoffer() wait for each other.
  //
  // Only for plugins that announce ("items": "probe"), others get GANTRY_MISUSE. Errors: the host's
  // reason for a refusal (it logs more); the old offer stays. Throws std::logic_error as
  // Offer::items(). Threads: any, from the end of start() until stop(); also inside handlers.
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

// Defines the one symbol that a plugin exports. Use it once in a library, at namespace scope, in
// the file with the plugin class.
#define GANTRY_PLUGIN(Type)                                                      \
  extern "C" {                                                                   \
  const gantry_plugin gantry_plugin_v1 = ::gantry::detail::Entry<Type>::table(); \
  }
