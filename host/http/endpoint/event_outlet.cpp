#include "host/http/endpoint/event_outlet.hpp"

namespace gantry::host::http {
namespace {

// Milliseconds after which a client that lost its connection may reconnect.
constexpr std::string_view kRetry = "retry: 1000\n";

std::string id_line(EventId id) { return "id: " + to_text(id) + "\n"; }

}  // namespace

// Without the empty data line some clients ignore the id.
void EventOutlet::prime(EventId id) {
  reply_.exchange().write(id_line(id).append(kRetry).append("data:\n\n"));
}

bool EventOutlet::send(EventId id, const Text& message) {
  waiting_ = backlog() == 0 ? 0 : waiting_ + 1;
  if (max_waiting_ > 0 && waiting_ > max_waiting_) return false;
  return reply_.exchange().write(as_event(*message).insert(0, id_line(id)));
}

void EventOutlet::gap() {
  reply_.exchange().write(": older events of this stream are not kept any more\n\n");
}

void EventOutlet::watch(const std::shared_ptr<EventOutlet>& outlet,
                        const std::shared_ptr<Session>& session) {
  outlet->reply_.exchange().on_disconnect(
      [weak = std::weak_ptr(outlet), owner = std::weak_ptr(session)] {
        const auto gone = weak.lock();
        const auto alive = owner.lock();
        if (gone && alive) alive->streams().detach(*gone);
      });
}

void EventOutlet::end_with(const std::shared_ptr<EventOutlet>& outlet,
                           const std::shared_ptr<Session>& session, TokenExpiry& expiry,
                           const TokenGrant* token) {
  outlet->expiry_ =
      expiry.watch(token, [weak = std::weak_ptr(outlet), owner = std::weak_ptr(session)] {
        const auto over = weak.lock();
        const auto alive = owner.lock();
        if (over && alive) alive->streams().detach(*over);
        if (over) over->close();
      });
}

}  // namespace gantry::host::http
