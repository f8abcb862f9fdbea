// edge/announcer.hpp: watches the database for as long as it lives, and tells the host.
//
// Made in start(), ended in stop().
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include <gantry/events.hpp>

#include "ops/service.hpp"
#include "watch/store_source.hpp"
#include "watch/ticker.hpp"

namespace gantry::data {

class Announcer {
 public:
  // Looks every `interval` while somebody watches a resource, else once a second: only who listens
  // to the list may want to hear then. `service` outlives this. Errors: those of Ticker::start().
  static Result<std::unique_ptr<Announcer>> start(const Host& host, const Events& events,
                                                  Service& service,
                                                  std::chrono::milliseconds interval);
  ~Announcer();

 private:
  class Subscribers final : public Audience {
   public:
    explicit Subscribers(const Events& events) : events_(events) {}
    std::vector<std::string> watched() override;
    void updated(const std::string& uri) override { (void)events_.updated(uri); }
    void deleted(const std::string& uri) override { (void)events_.deleted(uri); }
    void list_changed() override { (void)events_.list_changed(); }

   private:
    const Events events_;
  };

  Announcer(const Host& host, const Events& events, Service& service,
            std::chrono::milliseconds interval)
      : host_(host), interval_(interval), source_(service, stopping_), subscribers_(events) {}
  std::chrono::milliseconds look();  // when to look again
  void say(const Status& status);

  const Host host_;
  const std::chrono::milliseconds interval_;
  std::atomic<bool> stopping_{false};
  StoreSource source_;
  Subscribers subscribers_;
  Watcher watcher_{source_, subscribers_};
  bool is_blind_ = false;           // the last look failed, and the log says so
  std::unique_ptr<Ticker> ticker_;  // last: its thread uses the others
};

}  // namespace gantry::data
