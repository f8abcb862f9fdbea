#include "host/control/connection.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::control {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChunk = 16u << 10;
constexpr std::chrono::seconds kLinger{1};

std::string refused(const rpc::Error& error, std::string_view id = "null") {
  return error.to_message(id);
}

}  // namespace

Connection::Connection(int fd, pid_t peer, const rpc::AdminCommands& commands,
                       const ServerLimits& limits, int stop, int ended)
    : fd_(fd),
      stop_(stop),
      ended_(ended),
      client_("control socket, pid " + std::to_string(peer)),
      commands_(commands),
      limits_(limits),
      thread_([this] { serve(); }) {}

Connection::~Connection() {
  thread_.join();
  ::close(fd_);
}

void Connection::serve() {
  ::pthread_setname_np(::pthread_self(), "gantry-operator");
  try {
    std::string line;
    while (read_line(line)) {
      const std::string out = answer(line);
      if (!out.empty() && !write(out + "\n")) break;
    }
  } catch (const std::exception&) {
    // Out of memory: only this client's connection ends.
  }
  ::shutdown(fd_, SHUT_RDWR);
  done_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(ended_, &one, sizeof one);
}

bool Connection::wait(short events, Instant deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready[] = {{fd_, events, 0}, {stop_, POLLIN, 0}};
    const int found = ::poll(ready, 2, static_cast<int>(left));
    if (found < 0 && errno == EINTR) continue;
    return found > 0 && ready[1].revents == 0;
  }
}

bool Connection::fill(Instant deadline) {
  char chunk[kChunk];
  while (wait(POLLIN, deadline)) {
    const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
    if (got > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(got));
      return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) return false;
  }
  return false;
}

bool Connection::read_line(std::string& line) {
  const Instant deadline = Clock::now() + limits_.idle;
  std::size_t seen = 0;
  for (;;) {
    const auto end = buffer_.find('\n', seen);
    if (end != std::string::npos) {
      line.assign(buffer_, 0, end);
      buffer_.erase(0, end + 1);
      return true;
    }
    seen = buffer_.size();
    if (seen > limits_.line_bytes) {
      refuse_long_line();
      return false;
    }
    if (!fill(deadline)) return false;
  }
}

void Connection::refuse_long_line() {
  const rpc::Error error = rpc::Error::invalid_request(
      "A line may have at most " + std::to_string(limits_.line_bytes) + " bytes");
  if (!write(refused(error) + "\n")) return;
  ::shutdown(fd_, SHUT_WR);
  // Reads the rest of the line: closing a socket with unread input would discard the answer.
  const Instant deadline = Clock::now() + kLinger;
  while (fill(deadline)) buffer_.clear();
}

bool Connection::write(std::string_view text) {
  const Instant deadline = Clock::now() + limits_.write;
  while (!text.empty()) {
    const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EINTR && (errno != EAGAIN || !wait(POLLOUT, deadline))) {
      return false;
    }
  }
  return true;
}

std::string Connection::answer(const std::string& line) const {
  if (line.empty()) return {};
  rpc::Message message(line);
  if (const auto error = message.parse()) return refused(*error, message.id());
  using Kind = rpc::Message::Kind;
  if (message.kind() == Kind::notification) return {};
  if (message.kind() != Kind::request) {
    return refused(rpc::Error::invalid_request("Send one request a line"));
  }
  rpc::AdminAnswer out =
      commands_.run(message.method(), message.params(), {client_, rpc::Door::socket});
  if (out.error) return refused(*out.error, message.id());
  return rpc::result_message(message.id(), out.result);
}

}  // namespace gantry::host::control
