#include "link.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <semaphore>
#include <utility>

namespace gantry::worker {
namespace {

// Called when the host has closed its end, or has sent an invalid frame.
[[noreturn]] void end_process(int code) { ::_exit(code); }

constexpr int kGone = 0, kConfused = 70;

}  // namespace

struct Link::Waiter {
  std::binary_semaphore there{0};
  Reply reply;
};

void Link::send(std::string_view bytes) {
  std::lock_guard lock(send_mutex_);
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) end_process(kGone);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Link::done(std::uint64_t request, gantry_status status, std::string_view reason) {
  wire::FrameWriter frame(wire::FrameType::done, 0, request);
  frame.number(status).text(reason);
  send(frame);
}

Reply Link::ask(wire::FrameWriter& frame, std::uint64_t request) {
  if (!frame.fits()) return {GANTRY_TOO_BIG, {}};
  Waiter waiter;
  {
    std::lock_guard lock(waiters_mutex_);
    waiters_[request] = &waiter;
  }
  send(frame);
  waiter.there.acquire();
  // answer() releases the semaphore under the lock: after it only this thread uses the waiter.
  std::lock_guard lock(waiters_mutex_);
  return std::move(waiter.reply);
}

wire::Frame Link::read() {
  for (;;) {
    auto frame = received_.next();
    if (!frame) end_process(kConfused);
    if (*frame) return **frame;
    const auto [to, room] = received_.space();
    const ssize_t got = ::recv(socket_, to, room, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) end_process(kGone);
    received_.added(static_cast<std::size_t>(got));
  }
}

void Link::answer(const wire::Frame& frame) {
  wire::BodyReader body(frame.body);
  const auto status = body.number<gantry_status>();
  if (!body.ok()) end_process(kConfused);
  std::lock_guard lock(waiters_mutex_);
  const auto it = waiters_.find(frame.header.request);
  if (it == waiters_.end()) return;
  Waiter& waiter = *it->second;
  waiters_.erase(it);
  waiter.reply.status = status;
  waiter.reply.body.assign(frame.body.substr(sizeof status));
  waiter.there.release();
}

}  // namespace gantry::worker
