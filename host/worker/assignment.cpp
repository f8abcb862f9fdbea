#include "host/worker/assignment.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "host/worker/process.hpp"

namespace gantry::host {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10U;  // a socket's buffer holds more

// One descriptor beside the bytes of a message.
struct Passed {
  alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(int))] = {};

  void put_into(msghdr& message, int fd) {
    message.msg_control = bytes;
    message.msg_controllen = sizeof bytes;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  static int taken_from(msghdr& message) {
    int fd = -1;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header != nullptr && header->cmsg_type == SCM_RIGHTS)
      std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
  }
};

Status unread() {
  return Status::failed(std::string("a worker process has not got its plugin: ") +
                        std::strerror(errno));
}

bool read_all(char* to, std::size_t size) {
  while (size != 0) {
    const ssize_t got = ::recv(kWorkerSocket, to, size, MSG_WAITALL);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool place_library(int fd) {
  if (fd < 0 || fd == kWorkerLibrary) return true;
  const bool placed = ::dup3(fd, kWorkerLibrary, O_CLOEXEC) >= 0;
  ::close(fd);
  return placed;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); at += out.back().size() + 1)
    out.emplace_back(text.data() + at);
  return out;
}

}  // namespace

Status send_assignment(int socket, const std::vector<std::string>& words, int library) {
  std::string text(sizeof(std::uint32_t), '\0');
  for (const std::string& word : words) text.append(word).push_back('\0');
  if (text.size() > kMostBytes) {
    return Status::invalid(
        "the files that the configuration allows to a plugin are more than 64 KiB of paths; allow "
        "a directory that holds them");
  }
  const auto size = static_cast<std::uint32_t>(text.size() - sizeof(std::uint32_t));
  std::memcpy(text.data(), &size, sizeof size);
  iovec part{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Passed passed;
  if (library >= 0) passed.put_into(message, library);
  const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent == static_cast<ssize_t>(text.size())) return {};
  return unread();
}

Result<std::vector<std::string>> receive_assignment() {
  std::uint32_t size = 0;
  iovec part{&size, sizeof size};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Passed passed;
  message.msg_control = passed.bytes;
  message.msg_controllen = sizeof passed.bytes;
  const ssize_t got = ::recvmsg(kWorkerSocket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  if (got == 0) return std::vector<std::string>{};
  if (got != sizeof size || size > kMostBytes) return unread();
  std::string text(size, '\0');
  if (!read_all(text.data(), size) || !place_library(Passed::taken_from(message))) return unread();
  return words_of(text);
}

}  // namespace gantry::host
