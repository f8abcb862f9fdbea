// A raw socket that speaks to a server under test: sends exactly the bytes it is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace gantry::host::http::testing {

struct Response {
  int status = 0;
  std::string head;  // with the status line
  std::string body;  // chunks joined

  // The first value of that header (given as sent), or "".
  std::string header(std::string_view name) const;
};

class Client {
 public:
  // `receive_buffer`: bytes of SO_RCVBUF, 0 for the system's choice.
  explicit Client(std::uint16_t port, int receive_buffer = 0);
  // On a connected socket, which it owns from now on.
  static Client over(int connected);
  ~Client();
  Client(Client&& other) noexcept;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client& operator=(Client&&) = delete;

  void send(std::string_view bytes);
  // send() that says whether the peer took it.
  bool try_send(std::string_view bytes);
  void shut_write();
  // Ends the connection with a reset instead of a goodbye.
  void reset();
  void close();

  // One whole final answer; interim ones (1xx) are skipped and counted. status 0: none came.
  Response read_response(bool to_head = false);
  // Waits until `text` has come; everything up to its end. Empty when it does not come.
  std::string read_until(std::string_view text);
  // Everything until the peer closes.
  std::string read_all();
  // The peer has closed, and nothing was left to read.
  bool closed();
  int interim() const { return interim_; }
  // The connection has ended with a reset.
  bool was_reset() const { return reset_; }

  void set_timeout(std::chrono::milliseconds timeout) { timeout_ = timeout; }

 private:
  Client() = default;
  bool fill();
  std::string take(std::size_t n);
  std::string read_chunks();

  int fd_ = -1;
  int interim_ = 0;
  bool reset_ = false;
  std::string in_;
  std::chrono::milliseconds timeout_{10'000};
};

}  // namespace gantry::host::http::testing
