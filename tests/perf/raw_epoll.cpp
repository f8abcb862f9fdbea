// raw_epoll PORT [THREADS] [FILE]: the least a program can do to answer HTTP on keep-alive
// connections: epoll, one recv, one send. It sends the whole answer that FILE holds, head and body;
// without FILE the body of the request (or a fixed one) comes back. It checks nothing. Its requests
// per second are the limit that the server is measured against.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::string_view kFixed = R"({"jsonrpc":"2.0","id":1,"result":{}})";

int listen_on(std::uint16_t port) {
  int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int one = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bool ok = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            ::listen(fd, 1024) == 0;
  if (!ok) {
    std::perror("raw_epoll: listen");
    std::exit(1);
  }
  return fd;
}

// The answer to everything; empty: the body of the request.
std::string canned;

std::size_t content_length(std::string_view head) {
  auto at = head.find("Content-Length: ");
  if (at == head.npos) return 0;
  return std::strtoul(head.data() + at + 16, nullptr, 10);
}

void append_answer(std::string_view body, std::string& out) {
  if (!canned.empty()) return void(out += canned);
  out.append("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ");
  out.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

// Blocks when the peer reads slowly: there is nothing else a measured peer waits for.
bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EAGAIN) {
      return false;
    } else {
      pollfd writable{fd, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    }
  }
  return true;
}

// Answers every whole request in `in` and takes it out. False: the peer is gone.
bool answer(int fd, std::string& in) {
  std::string out;
  for (;;) {
    auto end = in.find("\r\n\r\n");
    if (end == in.npos) break;
    std::size_t length = content_length(std::string_view(in).substr(0, end));
    if (in.size() < end + 4 + length) break;
    std::string_view body = length > 0 ? std::string_view(in).substr(end + 4, length) : kFixed;
    append_answer(body, out);
    in.erase(0, end + 4 + length);
  }
  return send_all(fd, out);
}

class Responder {
 public:
  explicit Responder(std::uint16_t port) : listener_(listen_on(port)), epoll_(::epoll_create1(0)) {
    watch(listener_);
  }

  void run() {
    std::array<epoll_event, 256> events;
    for (;;) {
      int n = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < n; ++i) {
        int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == listener_) {
          accept_all();
        } else {
          serve(fd);
        }
      }
    }
  }

 private:
  void watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }

  void accept_all() {
    for (;;) {
      int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd < 0) return;
      int one = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      watch(fd);
    }
  }

  void serve(int fd) {
    std::array<char, 16384> bytes;
    ssize_t n = ::recv(fd, bytes.data(), bytes.size(), 0);
    auto& in = inputs_[fd];
    if (n > 0) in.append(bytes.data(), static_cast<std::size_t>(n));
    if (n > 0 && answer(fd, in)) return;
    inputs_.erase(fd);
    ::close(fd);
  }

  int listener_;
  int epoll_;
  std::unordered_map<int, std::string> inputs_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: raw_epoll PORT [THREADS] [FILE]\n");
    return 2;
  }
  auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  int threads = argc > 2 ? std::atoi(argv[2]) : 1;
  if (argc > 3) {
    std::ifstream file(argv[3], std::ios::binary);
    canned.assign(std::istreambuf_iterator<char>(file), {});
    if (canned.empty()) {
      std::fprintf(stderr, "raw_epoll: cannot read '%s'\n", argv[3]);
      return 2;
    }
  }
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back([port] { Responder(port).run(); });
  for (auto& thread : running) thread.join();
}
