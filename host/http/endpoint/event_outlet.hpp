// host/http/endpoint/event_outlet.hpp: a session's stream on one connection: events with ids.
#pragma once

#include <memory>

#include "host/http/endpoint/reply.hpp"
#include "host/http/endpoint/token_expiry.hpp"
#include "host/limits/gate.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host::http {

class EventOutlet final : public EventSink {
 public:
  // Holds `place` as long as it lives. `max_waiting`: events that may wait for a client that does
  // not read (0: only the connection's own bound applies); one more cuts the connection. The
  // session keeps the missed events until the client reconnects.
  EventOutlet(Reply reply, Gate::Place place, std::size_t max_waiting = 0)
      : reply_(std::move(reply)), place_(std::move(place)), max_waiting_(max_waiting) {}

  bool open() override { return reply_.open_stream(); }
  void prime(EventId id) override;
  bool send(EventId id, const Text& message) override;
  void gap() override;
  void close() override { reply_.exchange().close(); }
  std::size_t backlog() const override { return reply_.exchange().backlog(); }

  // From now on `session` detaches this outlet when its client leaves.
  static void watch(const std::shared_ptr<EventOutlet>& outlet,
                    const std::shared_ptr<Session>& session);
  // From now on the stream ends when `token` is over; the client can resume it with another one.
  static void end_with(const std::shared_ptr<EventOutlet>& outlet,
                       const std::shared_ptr<Session>& session, TokenExpiry& expiry,
                       const TokenGrant* token);

 private:
  const Reply reply_;
  const Gate::Place place_;
  const std::size_t max_waiting_;
  std::size_t waiting_ = 0;  // events since the client had taken all of them
  TokenExpiry::Watch expiry_;
};

}  // namespace gantry::host::http
