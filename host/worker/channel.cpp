#include "host/worker/channel.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace gantry::host::worker {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kMaxQueue = 256U << 20U;
constexpr std::chrono::milliseconds kLongest{60'000};

// How many bytes the socket took; 0 also when the other end is closed, which the reader will see.
std::size_t send_some(int socket, std::string_view bytes) {
  ssize_t sent = 0;
  do {
    sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

int milliseconds_until(Steady::time_point deadline) {
  const auto left = deadline - Steady::now();
  if (left <= Steady::duration::zero()) return 0;
  if (left > kLongest) return static_cast<int>(kLongest.count());
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

}  // namespace

Channel::Channel(int socket) : socket_(socket), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

bool Channel::send(std::string_view frame) {
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) frame.remove_prefix(send_some(socket_, frame));
    if (frame.empty()) return true;
    if (queue_.size() - sent_ + frame.size() > kMaxQueue) return false;
    queue_.append(frame);
  }
  wake();
  return true;
}

void Channel::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

void Channel::shut() { ::shutdown(socket_, SHUT_WR); }

bool Channel::has_queued() {
  std::lock_guard lock(mutex_);
  return !queue_.empty();
}

void Channel::send_queued() {
  std::lock_guard lock(mutex_);
  const std::size_t sent = send_some(socket_, std::string_view(queue_).substr(sent_));
  ::explicit_bzero(queue_.data() + sent_, sent);
  sent_ += sent;
  if (sent_ < queue_.size()) return;
  queue_.clear();
  sent_ = 0;
}

Channel::Seen Channel::receive() {
  const auto [to, room] = received_.space();
  const ssize_t got = ::recv(socket_, to, room, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return Seen::nothing;
  if (got <= 0) return Seen::end;
  received_.added(static_cast<std::size_t>(got));
  return Seen::something;
}

void Channel::wait(Time deadline) {
  const int wanted = POLLIN | (has_queued() ? POLLOUT : 0);
  std::array<pollfd, 2> polled{
      {{socket_, static_cast<short>(wanted), 0}, {wake_.get(), POLLIN, 0}}};
  if (::poll(polled.data(), polled.size(), milliseconds_until(deadline)) <= 0) return;
  if ((polled[1].revents & POLLIN) != 0) {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t taken = ::read(wake_.get(), &count, sizeof count);
  }
  if ((polled[0].revents & POLLOUT) != 0) send_queued();
}

}  // namespace gantry::host::worker
