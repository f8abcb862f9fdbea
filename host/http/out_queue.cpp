#include "host/http/out_queue.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <span>

namespace gantry::host::http {
namespace {

constexpr std::size_t kPiecesAtOnce = 32;
constexpr std::size_t kMergedPiece = 32 * 1024;

iovec as_iovec(std::string_view bytes) { return {const_cast<char*>(bytes.data()), bytes.size()}; }

ssize_t send_parts(int fd, std::span<iovec> parts) {
  constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (;;) {
    ssize_t n = parts.size() == 1  // which costs less
                    ? ::send(fd, parts[0].iov_base, parts[0].iov_len, kFlags)
                    : ::sendmsg(fd, &message, kFlags);
    if (n >= 0) return n;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    if (errno != EINTR) return -1;
  }
}

}  // namespace

void OutQueue::push(Bytes piece) {
  if (piece.view().empty()) return;
  bytes_ += piece.view().size();
  pieces_.push_back(std::move(piece));
}

void OutQueue::append(std::string_view bytes) {
  bool room = !pieces_.empty() && !pieces_.back().shared &&
              pieces_.back().own.size() + bytes.size() <= kMergedPiece;
  if (!room) return push(std::string(bytes));
  pieces_.back().own.append(bytes);
  bytes_ += bytes.size();
}

Sent OutQueue::flush(int fd) {
  while (!pieces_.empty()) {
    std::array<iovec, kPiecesAtOnce> parts;
    std::size_t count = 0;
    for (const auto& piece : pieces_) {
      parts[count] = as_iovec(piece.view().substr(count == 0 ? offset_ : 0));
      if (++count == parts.size()) break;
    }
    ssize_t n = send_parts(fd, std::span(parts).first(count));
    if (n < 0) return Sent::failed;
    if (n == 0) return Sent::part;
    drop(static_cast<std::size_t>(n));
  }
  return Sent::all;
}

void OutQueue::drop(std::size_t n) {
  sent_ += n;
  bytes_ -= n;
  while (n > 0) {
    std::size_t left = pieces_.front().view().size() - offset_;
    if (n < left) {
      offset_ += n;
      return;
    }
    n -= left;
    offset_ = 0;
    pieces_.pop_front();
  }
}

Sent OutQueue::send(int fd, std::string_view head, Bytes body) {
  ssize_t took = 0;
  if (pieces_.empty()) {
    std::array parts{as_iovec(head), as_iovec(body.view())};
    took = send_parts(fd, std::span(parts).first(body.view().empty() ? 1 : 2));
  }
  if (took < 0) return Sent::failed;
  const auto done = static_cast<std::size_t>(took);
  sent_ += done;
  if (done == head.size() + body.view().size()) return Sent::all;
  queue_rest(head, std::move(body), done);
  return flush(fd);
}

// `done`: bytes of both that the socket took; more than none only if the queue was empty.
void OutQueue::queue_rest(std::string_view head, Bytes body, std::size_t done) {
  if (done < head.size()) {
    push(std::string(head.substr(done)));
    return push(std::move(body));
  }
  const std::size_t start = done - head.size();
  push(std::move(body));
  if (start > 0) {
    offset_ = start;
    bytes_ -= start;
  }
}

}  // namespace gantry::host::http
