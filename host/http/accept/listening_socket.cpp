#include "host/http/accept/listening_socket.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>

namespace gantry::host::http {
namespace {

std::uint16_t port_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

bool is_listening(int fd) {
  int is = 0;
  socklen_t size = sizeof is;
  return ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &is, &size) == 0 && is != 0;
}

// The free port of `address` to which the system binds the socket; 0: it does not.
std::uint16_t bind_to_free_port(int fd, sockaddr_storage address, socklen_t size) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = 0;
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = 0;
  }
  const auto bound = reinterpret_cast<sockaddr*>(&address);
  if (::bind(fd, bound, size) != 0 || ::getsockname(fd, bound, &size) != 0) return 0;
  return port_of(address);
}

// Drops what arrives for the socket, but for what comes from `port`. The kernel shows a socket's
// filter the TCP header, which begins with the port.
bool hear_only(int fd, std::uint16_t port) {
  sock_filter program[] = {BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, 0xffffffff), BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return ::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

}  // namespace

ListeningSocket::Found ListeningSocket::find(std::uint16_t port) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    const std::string name = entry.path().filename();
    Found found;
    std::from_chars(name.data(), name.data() + name.size(), found.fd);
    found.size = sizeof found.address;
    const auto address = reinterpret_cast<sockaddr*>(&found.address);
    if (is_listening(found.fd) && ::getsockname(found.fd, address, &found.size) == 0 &&
        port_of(found.address) == port) {
      return found;
    }
  }
  return {};
}

ListeningSocket::ListeningSocket(std::uint16_t port)
    : found_(find(port)),
      last_(found_.fd < 0 ? -1
                          : ::socket(found_.address.ss_family,
                                     SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (last_.is_open()) last_port_ = bind_to_free_port(last_.get(), found_.address, found_.size);
}

bool ListeningSocket::connect_last_client() {
  if (last_port_ == 0 || !hear_only(found_.fd, last_port_)) return false;
  const auto to = reinterpret_cast<const sockaddr*>(&found_.address);
  return ::connect(last_.get(), to, found_.size) == 0 || errno == EINPROGRESS;
}

// Another socket takes the descriptor's place, so that Pistache neither accepts nor closes a
// descriptor that has another owner by then.
void ListeningSocket::close() {
  if (found_.fd < 0) return;
  const UniqueFd idle(::socket(found_.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (idle.is_open()) ::dup3(idle.get(), found_.fd, O_CLOEXEC);
}

}  // namespace gantry::host::http
