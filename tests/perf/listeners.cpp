// listeners PORT PID COUNT ROUNDS TOOL [calling]: opens COUNT listen streams (subscriptions/listen
// for tool list changes) on 127.0.0.1:PORT, then calls TOOL, which changes the list, ROUNDS times.
// Prints one line: milliseconds to open all, KiB of PID's memory a stream, and the median and worst
// milliseconds from the first byte of a notification that arrives anywhere to the last stream's.
// With `calling` another connection keeps calling the tool "echo" all the time; how many calls were
// answered comes next. At last, for comparison: the median milliseconds of a process of one thread
// that does nothing but send() the same bytes to COUNT sockets, taking turns with the server, and
// the median of the ratios of each such pair. Ends with 1 when a stream misses a notification.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
  std::fprintf(stderr, "listeners: %s\n", why.c_str());
  std::exit(1);
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    die(std::string("connect: ") + std::strerror(errno));
  const int one = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

std::string request(std::string_view method, std::string_view name, std::string_view params,
                    int id) {
  std::string body = "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"";
  body.append(method).append("\",\"params\":{").append(params);
  body +=
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
      "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
  std::string out =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
      "Mcp-Method: ";
  out.append(method) += "\r\n";
  if (!name.empty()) out.append("Mcp-Name: ").append(name) += "\r\n";
  return out + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

void send_all(int fd, const std::string& bytes) {
  if (::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
    die("send: the server does not take a request");
}

// One answer with a Content-Length.
void read_answer(int fd) {
  std::string got;
  char bytes[16384];
  for (;;) {
    const auto head = got.find("\r\n\r\n");
    if (head != std::string::npos) {
      const auto at = got.find("Content-Length: ");
      if (at == std::string::npos || at > head) die("an answer without length: " + got);
      if (got.size() >= head + 4 + std::strtoul(got.c_str() + at + 16, nullptr, 10)) break;
    }
    const ssize_t n = ::recv(fd, bytes, sizeof bytes, 0);
    if (n <= 0) die("the server closed a connection: " + got);
    got.append(bytes, static_cast<std::size_t>(n));
  }
  if (got.find("HTTP/1.1 200") != 0 || got.find("\"error\":{") != std::string::npos)
    die("a call failed: " + got);
}

double resident_kib(const char* pid) {
  std::ifstream status("/proc/" + std::string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr);
  }
  die("no such process");
}

struct Stream {
  int fd = -1;
  std::string tail;  // the end of what came, so that a split word is found
  int seen = 0;
};

class Streams {
 public:
  Streams(std::uint16_t port, int count) : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    streams_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      Stream& stream = streams_[static_cast<std::size_t>(i)];
      stream.fd = connect_to(port);
      send_all(stream.fd, request("subscriptions/listen", "",
                                  "\"notifications\":{\"toolsListChanged\":true},", i + 1));
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = static_cast<std::uint64_t>(i);
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stream.fd, &event);
    }
  }

  // Waits until every stream has had `word` once more. Milliseconds from the first to the last.
  double wait_for(std::string_view word) {
    for (auto& stream : streams_) {
      stream.seen = 0;
      stream.tail.clear();
    }
    Clock::time_point first, last;
    std::size_t missing = streams_.size();
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (missing > 0) {
      epoll_event events[512];
      const int n = ::epoll_wait(epoll_, events, 512, 1000);
      if (Clock::now() > deadline)
        die(std::to_string(missing) + " streams missed " + std::string(word));
      for (int i = 0; i < n; ++i) {
        Stream& stream = streams_[events[i].data.u64];
        if (!take(stream, word)) continue;
        last = Clock::now();
        if (missing-- == streams_.size()) first = last;
      }
    }
    return milliseconds(last - first);
  }

 private:
  // True when this is the first sight of the word.
  static bool take(Stream& stream, std::string_view word) {
    char bytes[4096];
    const ssize_t n = ::recv(stream.fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n == 0) die("the server closed a stream");
    if (n < 0) return false;
    stream.tail.append(bytes, static_cast<std::size_t>(n));
    if (stream.tail.find(word) == std::string::npos) return false;
    stream.tail.clear();
    return ++stream.seen == 1;
  }

  const int epoll_;
  std::vector<Stream> streams_;
};

// The least a program can do: a child process that takes `count` connections and one before them,
// and sends the same bytes to all of them for each byte that comes on the first.
class RawFanOut {
 public:
  explicit RawFanOut(int count) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener, 1024) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      die(std::string("listen: ") + std::strerror(errno));
    port_ = ntohs(address.sin_port);
    child_ = ::fork();
    if (child_ < 0) die(std::string("fork: ") + std::strerror(errno));
    if (child_ == 0) serve(listener, count);
    ::close(listener);
    control_ = connect_to(port_);
  }
  ~RawFanOut() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  RawFanOut(const RawFanOut&) = delete;
  RawFanOut& operator=(const RawFanOut&) = delete;

  std::uint16_t port() const { return port_; }
  void change() const { send_all(control_, "!"); }

 private:
  [[noreturn]] static void serve(int listener, int count) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string_view event =
        "a5\r\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
        "\"notifications/tools/list_changed\",\"params\":{\"_meta\":"
        "{\"io.modelcontextprotocol/subscriptionId\":1234}}}\n\n\r\n";
    const int control = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    std::vector<int> all(static_cast<std::size_t>(count));
    const int one = 1;
    for (int& fd : all) {
      fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    for (char byte = 0; ::recv(control, &byte, 1, 0) == 1;) {
      for (const int fd : all)
        (void)!::send(fd, event.data(), event.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    ::_exit(0);
  }

  std::uint16_t port_ = 0;
  pid_t child_ = -1;
  int control_ = -1;
};

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) die("usage: listeners PORT PID COUNT ROUNDS TOOL [calling]");
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  const int count = std::atoi(argv[3]), rounds = std::atoi(argv[4]);
  const std::string tool = argv[5];
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);

  const RawFanOut raw(count);
  Streams raw_streams(raw.port(), count);

  const int control = connect_to(port);
  const std::string change =
      request("tools/call", tool, "\"name\":\"" + tool + "\",\"arguments\":{},", 1);
  send_all(control, change);
  read_answer(control);

  const double before = resident_kib(argv[2]);
  const auto began = Clock::now();
  Streams streams(port, count);
  streams.wait_for("subscriptions/acknowledged");
  const double opened = milliseconds(Clock::now() - began);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double kib = (resident_kib(argv[2]) - before) / count;

  std::atomic<bool> stop{false};
  std::atomic<long> calls{0};
  std::thread caller;
  if (argc > 6) {
    caller = std::thread([&] {
      const int fd = connect_to(port);
      const std::string echo =
          request("tools/call", "echo", "\"name\":\"echo\",\"arguments\":{\"text\":\"x\"},", 1);
      for (; !stop; ++calls) {
        send_all(fd, echo);
        read_answer(fd);
      }
    });
  }
  const auto settle = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  std::vector<double> spans, raw_spans, ratios;
  for (int i = 0; i < rounds; ++i) {
    send_all(control, change);
    spans.push_back(streams.wait_for("tools/list_changed"));
    read_answer(control);
    settle();
    raw.change();
    raw_spans.push_back(raw_streams.wait_for("tools/list_changed"));
    ratios.push_back(spans.back() / raw_spans.back());
    settle();
  }
  stop = true;
  if (caller.joinable()) caller.join();
  std::printf("%.1f %.2f %.2f %.2f %ld %.2f %.2f\n", opened, kib, middle_of(spans),
              *std::max_element(spans.begin(), spans.end()), calls.load(), middle_of(raw_spans),
              middle_of(ratios));
}
