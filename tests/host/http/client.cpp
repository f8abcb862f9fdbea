#include "client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace gantry::host::http::testing {

std::string Response::header(std::string_view name) const {
  std::string start = "\r\n" + std::string(name) + ": ";
  auto at = head.find(start);
  if (at == head.npos) return {};
  at += start.size();
  return head.substr(at, head.find("\r\n", at) - at);
}

Client::Client(std::uint16_t port, int receive_buffer)
    : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer > 0) {
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  int one = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd_);
    throw std::runtime_error("the test's client cannot connect");
  }
}

Client Client::over(int connected) {
  Client client;
  client.fd_ = connected;
  return client;
}

Client::~Client() { close(); }

Client::Client(Client&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      interim_(other.interim_),
      in_(std::move(other.in_)),
      timeout_(other.timeout_) {}

bool Client::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void Client::send(std::string_view bytes) {
  if (!try_send(bytes)) throw std::runtime_error("the server took no more bytes");
}

void Client::shut_write() { ::shutdown(fd_, SHUT_WR); }

void Client::reset() {
  linger at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

void Client::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool Client::fill() {
  pollfd ready{fd_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(timeout_.count())) <= 0) return false;
  std::array<char, 65536> bytes;
  ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
  reset_ = n < 0 && errno == ECONNRESET;
  if (n <= 0) return false;
  in_.append(bytes.data(), static_cast<std::size_t>(n));
  return true;
}

std::string Client::take(std::size_t n) {
  while (in_.size() < n) {
    if (!fill()) return {};
  }
  std::string out = in_.substr(0, n);
  in_.erase(0, n);
  return out;
}

std::string Client::read_until(std::string_view text) {
  std::size_t from = 0;
  for (;;) {
    auto at = in_.find(text, from);
    if (at != in_.npos) return take(at + text.size());
    from = in_.size() > text.size() ? in_.size() - text.size() : 0;
    if (!fill()) return {};
  }
}

std::string Client::read_all() {
  while (fill()) {
  }
  return std::exchange(in_, {});
}

bool Client::closed() {
  if (!in_.empty()) return false;
  pollfd ready{fd_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(timeout_.count())) <= 0) return false;
  return !fill();
}

std::string Client::read_chunks() {
  std::string body;
  for (;;) {
    std::string line = read_until("\r\n");
    if (line.empty()) return "(broken)";
    std::size_t size = std::strtoul(line.c_str(), nullptr, 16);
    std::string chunk = take(size + 2);
    if (chunk.size() != size + 2) return "(broken)";
    if (size == 0) return body;
    body.append(chunk, 0, size);
  }
}

Response Client::read_response(bool to_head) {
  Response response;
  response.head = read_until("\r\n\r\n");
  if (response.head.size() < 12) return response;
  response.status = std::atoi(response.head.c_str() + 9);
  if (response.status < 200) {
    ++interim_;
    return read_response(to_head);
  }
  if (to_head) return response;
  if (response.header("Transfer-Encoding") == "chunked") {
    response.body = read_chunks();
  } else {
    response.body = take(std::strtoul(response.header("Content-Length").c_str(), nullptr, 10));
  }
  return response;
}

}  // namespace gantry::host::http::testing
