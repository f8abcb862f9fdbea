#include "host/http/connection_state.hpp"

#include <utility>

namespace gantry::host::http {
namespace {

bool is_active(Phase phase) {
  return phase == Phase::working || phase == Phase::streaming || phase == Phase::flushing;
}

}  // namespace

ConnectionState::ConnectionState(int fd, std::string peer_address, LoopState& of)
    : loop(of),
      target{fd, of.server->next_id.fetch_add(1)},
      peer(std::move(peer_address)),
      since_(of.now) {}

void ConnectionState::enter(Phase next) {
  if (phase_ == Phase::dead) return;
  const Phase before = std::exchange(phase_, next);
  since_ = loop.now;
  if (before == Phase::streaming || next == Phase::streaming) {
    loop.tallies.streams.add(next == Phase::streaming ? 1 : -1);
  }
  if (is_active(before) == is_active(next)) return;
  loop.tallies.active.add(is_active(next) ? 1 : -1);
  if (!is_active(next)) loop.note_done();
}

}  // namespace gantry::host::http
