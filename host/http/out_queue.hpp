// host/http/out_queue.hpp (private): bytes on their way out of one connection. I/O thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "host/http/exchange.hpp"

namespace gantry::host::http {

enum class Sent {
  all,     // nothing is left
  part,    // the socket is full
  failed,  // the peer is gone
};

class OutQueue {
 public:
  bool empty() const { return pieces_.empty(); }
  // Not yet sent; and sent since the beginning.
  std::size_t bytes() const { return bytes_; }
  std::uint64_t sent() const { return sent_; }

  void push(Bytes piece);
  // Copies; small neighbours become one piece.
  void append(std::string_view bytes);
  Sent flush(int fd);
  // Sends both at once where nothing is queued; the rest that the socket does not take is queued.
  Sent send(int fd, std::string_view head, Bytes body);

 private:
  void queue_rest(std::string_view head, Bytes body, std::size_t done);
  void drop(std::size_t n);

  std::deque<Bytes> pieces_;
  std::size_t offset_ = 0;  // of the first piece
  std::size_t bytes_ = 0;
  std::uint64_t sent_ = 0;
};

}  // namespace gantry::host::http
