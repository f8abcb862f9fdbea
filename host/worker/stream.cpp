#include <unistd.h>

#include <array>
#include <cerrno>

#include "host/worker/keeper.hpp"

namespace gantry::host {
namespace {

// Bytes a second; and bytes that are read of one worker before the next one has its turn.
constexpr std::size_t kSecond = std::size_t{4} << 20U, kTurn = std::size_t{256} << 10U;

}  // namespace

Stream::Stream(int fd, OutputLines::Emit emit, const Clock& clock)
    : fd_(fd), clock_(clock), lines_(std::move(emit), clock), window_(clock.now()) {}

Stream::~Stream() {
  if (fd_ >= 0) ::close(fd_);
}

// False when there is nothing more just now.
bool Stream::read_once() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd_, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return true;
  if (count < 0 && errno == EAGAIN) return false;
  if (count <= 0) {
    ::close(fd_);  // also leaves the set of the poll
    fd_ = -1;
    lines_.end();
    return false;
  }
  read_ += static_cast<std::size_t>(count);
  lines_.feed({buffer.data(), static_cast<std::size_t>(count)});
  return true;
}

void Stream::read_some() {
  tick();
  const std::size_t turn = read_ + kTurn;
  while (is_open() && read_ < turn && read_ < kSecond && read_once()) {
  }
  full_ = is_open() && read_ >= kSecond;
}

// No more than a pipe holds: no process is left that could fill it again.
void Stream::read_rest() {
  const std::size_t most = read_ + (std::size_t{2} << 20U);
  while (is_open() && read_ < most && read_once()) {
  }
  if (!is_open()) return;
  ::close(fd_);
  fd_ = -1;
  lines_.end();
}

void Stream::tick() {
  lines_.tick();
  const Clock::Instant now = clock_.now();
  if (now - window_ < std::chrono::seconds(1)) return;
  window_ = now;
  read_ = 0;
  full_ = false;
}

}  // namespace gantry::host
