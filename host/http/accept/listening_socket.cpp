#include "host/http/accept/listening_socket.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

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

// Drops handshakes that begin at the socket, but for that of `port`. The rest of those that have
// begun passes, and so does what arrives at the sockets that come of them: they inherit the filter.
// The kernel shows a socket's filter the TCP header: the source port at 0, the flags at 13.
bool accept_only(int fd, std::uint16_t port) {
  constexpr std::uint32_t kSyn = 0x02, kWhole = 0xffffffff;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kSyn, 0, 2),
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0),  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, port, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kWhole),      BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog filter{.len = std::size(program), .filter = program};
  return ::setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) == 0;
}

// Whether a client of `port` has been answered, but its end of the handshake has not arrived. Such
// a client may count as connected at its side.
bool has_handshake(std::uint16_t port) {
  constexpr std::string_view kSynReceived = "03";
  for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    std::ifstream in(table);
    const auto rest = [&] { in.ignore(std::numeric_limits<std::streamsize>::max(), '\n'); };
    rest();  // titles
    for (std::string slot, local, remote, state; in >> slot >> local >> remote >> state; rest()) {
      const auto colon = local.rfind(':');
      std::uint16_t at = 0;
      if (state != kSynReceived || colon == local.npos) continue;
      std::from_chars(local.data() + colon + 1, local.data() + local.size(), at, 16);
      if (at == port) return true;
    }
  }
  return false;
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
  if (last_port_ == 0 || !accept_only(found_.fd, last_port_)) return false;
  await_handshakes();
  const auto to = reinterpret_cast<const sockaddr*>(&found_.address);
  return ::connect(last_.get(), to, found_.size) == 0 || errno == EINPROGRESS;
}

void ListeningSocket::await_handshakes() const {
  constexpr std::chrono::milliseconds kPace{5};
  const std::uint16_t port = port_of(found_.address);
  const auto deadline = std::chrono::steady_clock::now() + kHandshake;
  while (has_handshake(port) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPace);
  }
}

// Another socket takes the descriptor's place, so that Pistache neither accepts nor closes a
// descriptor that has another owner by then.
void ListeningSocket::close() {
  if (found_.fd < 0) return;
  const UniqueFd idle(::socket(found_.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (idle.is_open()) ::dup3(idle.get(), found_.fd, O_CLOEXEC);
}

}  // namespace gantry::host::http
