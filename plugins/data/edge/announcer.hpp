// edge/announcer.hpp: watches the database while it lives, and reports changes to the host.
//
// Made in start(), destroyed in stop().
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
  struct Times {
    // Interval between looks while a resource has subscribers; otherwise a second (list changes
    // only)
    std::chrono::milliseconds interval;
    std::chrono::milliseconds idle;  // time without a call after which idle connections are closed
  };
  // `service` must outlive the announcer. Errors: those of Ticker::start().
  static Result<std::unique_ptr<Announcer>> start(const Host& host, const Events& events,
                                                  Service& service, const Times& times);
  ~Announcer();
  // Looks now: this process has committed. Any thread.
  void look_soon() { ticker_->wake(); }

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

  Announcer(const Host& host, const Events& events, Service& service, const Times& times)
      : host_(host),
        times_(times),
        service_(service),
        source_(service, stopping_),
        subscribers_(events) {}
  std::chrono::milliseconds look();  // returns the time until the next look
  void say(const Status& status);

  const Host host_;
  const Times times_;
  Service& service_;
  std::atomic<bool> stopping_{false};
  StoreSource source_;
  Subscribers subscribers_;
  Watcher watcher_{source_, subscribers_};
  bool is_blind_ = false;           // the last look failed, and the log says so
  std::unique_ptr<Ticker> ticker_;  // last member: its thread uses the others
};

}  // namespace gantry::data
