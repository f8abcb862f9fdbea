#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host/control/paths.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

class SocketHost final : public Host {
 public:
  SocketHost(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  ~SocketHost() override { ::close(fd_); }
  SocketHost(const SocketHost&) = delete;
  SocketHost& operator=(const SocketHost&) = delete;

  Result<std::string> ask(const std::string& method, const std::string& params) override {
    if (!send(rpc_request(method, params) + "\n")) return gone();
    const auto line = receive();
    return line ? result_of(*line) : Result<std::string>(gone());
  }

 private:
  Status gone() const {
    return {GANTRY_NOT_FOUND, "the host at " + path_ + " ended, or is too busy to answer"};
  }
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno != EINTR) return false;
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  std::optional<std::string> receive() {
    std::string line;
    char chunk[16 << 10];
    while (!line.ends_with('\n')) {
      const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
      if (got == 0 || (got < 0 && errno != EINTR)) return std::nullopt;
      if (got > 0) line.append(chunk, static_cast<std::size_t>(got));
    }
    return line;
  }

  const std::string path_;
  const int fd_;
};

}  // namespace

Result<std::unique_ptr<Host>> socket_host(const std::string& path) {
  if (Status status = host::control::check_length(path); !status) {
    return Status(GANTRY_NOT_FOUND, status.message());
  }
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return std::unique_ptr<Host>(new SocketHost(path, fd));
  }
  const int problem = errno;
  if (fd >= 0) ::close(fd);
  return Status(GANTRY_NOT_FOUND, "no host can be asked at " + path + ": " +
                                      std::strerror(problem) +
                                      "; is gantryd running with this --control?");
}

}  // namespace gantry::cli
