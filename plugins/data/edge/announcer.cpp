#include "edge/announcer.hpp"

#include <algorithm>
#include <exception>

namespace gantry::data {
namespace {

constexpr std::chrono::milliseconds kIdle{1000};

}  // namespace

Result<std::unique_ptr<Announcer>> Announcer::start(const Host& host, const Events& events,
                                                    Service& service, const Times& times) {
  std::unique_ptr<Announcer> announcer(new Announcer(host, events, service, times));
  // The first look is made before the ticker starts: subscriptions from now on are compared with
  // the present state.
  auto ticker = Ticker::start(announcer->look(), [&it = *announcer] { return it.look(); });
  if (!ticker) return ticker.status();
  announcer->ticker_ = std::move(*ticker);
  return announcer;
}

Announcer::~Announcer() {
  stopping_ = true;
  ticker_.reset();
}

std::chrono::milliseconds Announcer::look() {
  try {
    say(watcher_.look());
    if (service_.idle_for() >= times_.idle) service_.store().rest();
  } catch (const std::exception& e) {
    say(Status::failed(e.what()));
  }
  if (watcher_.has_audience()) return times_.interval;
  return std::max(times_.interval, std::min(kIdle, times_.idle));
}

// Logs a change of state once, not at every look.
void Announcer::say(const Status& status) {
  if (stopping_ || status.is_ok() != is_blind_) return;
  is_blind_ = !status;
  if (is_blind_) {
    host_.warning("changes of the database cannot be seen: " + status.message());
  } else {
    host_.info("changes of the database are seen again");
  }
}

std::vector<std::string> Announcer::Subscribers::watched() {
  auto uris = events_.watched();
  return uris ? std::move(*uris) : std::vector<std::string>();
}

}  // namespace gantry::data
