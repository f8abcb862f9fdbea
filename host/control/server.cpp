#include "host/control/server.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "host/control/connection.hpp"

namespace gantry::host::control {
namespace {

constexpr int kAfterFailure = 100;  // milliseconds, when no descriptor is left

void raise_event(int fd) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd, &one, sizeof one);
}

void send_once(int fd, const rpc::Error& error) {
  const std::string line = error.to_message("null") + "\n";
  ::send(fd, line.data(), line.size(), MSG_NOSIGNAL);
}

bool may_ask(const ucred& peer) { return peer.uid == ::geteuid() || peer.uid == 0; }

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const std::string& path,
                                              const rpc::AdminCommands& commands, Log& log,
                                              const ServerLimits& limits) {
  auto claim = Claim::take(path);
  if (!claim) return claim.status();
  const int stop = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const int ended = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (stop >= 0 && ended >= 0) {
    return std::unique_ptr<Server>(
        new Server(std::move(*claim), commands, log, limits, stop, ended));
  }
  const int problem = errno;
  if (stop >= 0) ::close(stop);
  return Status::failed("cannot serve the control socket " + path + ": " + std::strerror(problem));
}

Server::Server(std::unique_ptr<Claim> claim, const rpc::AdminCommands& commands, Log& log,
               const ServerLimits& limits, int stop, int ended)
    : claim_(std::move(claim)),
      commands_(commands),
      log_(log),
      limits_(limits),
      stop_(stop),
      ended_(ended) {
  connections_.reserve(limits_.clients);  // take() must not allocate
  thread_ = std::thread([this] { loop(); });
}

Server::~Server() {
  raise_event(stop_);
  thread_.join();
  connections_.clear();
  ::close(stop_);
  ::close(ended_);
}

void Server::loop() {
  ::pthread_setname_np(::pthread_self(), "gantry-control");
  int wait = -1;
  for (;;) {
    pollfd ready[] = {{stop_, POLLIN, 0}, {ended_, POLLIN, 0}, {claim_->fd(), POLLIN, 0}};
    // After a failure the listener is polled later, because it would be ready at once.
    const int found = ::poll(ready, wait < 0 ? 3 : 2, wait);
    if (found < 0 && errno != EINTR) return;
    if (ready[0].revents != 0) return;
    forget_ended();
    wait = -1;
    errno = 0;
    accept_all();
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) wait = kAfterFailure;
  }
}

void Server::forget_ended() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(ended_, &count, sizeof count);
  std::erase_if(connections_, [](const auto& connection) { return connection->is_done(); });
}

void Server::accept_all() {
  for (;;) {
    const int fd = ::accept4(claim_->fd(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && errno != EINTR && errno != ECONNABORTED) return;
    if (fd >= 0) take(fd);
  }
}

void Server::take(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || !may_ask(peer)) {
    log_.write(Level::warn, "control socket: another user was refused",
               {{"uid", static_cast<std::int64_t>(peer.uid)},
                {"pid", static_cast<std::int64_t>(peer.pid)}});
    ::close(fd);
    return;
  }
  if (connections_.size() >= limits_.clients) {
    send_once(fd, rpc::Error::busy());
    ::close(fd);
    return;
  }
  try {
    connections_.push_back(
        std::make_unique<Connection>(fd, peer.pid, commands_, limits_, stop_, ended_));
  } catch (const std::exception&) {  // no more threads, or memory
    send_once(fd, rpc::Error::busy());
    ::close(fd);
  }
}

}  // namespace gantry::host::control
