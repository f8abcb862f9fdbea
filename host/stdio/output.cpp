#include "host/stdio/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "host/base/json.hpp"

namespace gantry::host {

void Stdio::Output::line(std::string message) {
  put_on_one_line(message);  // plugins write their schemas and answers as they like
  message += '\n';
  std::string_view left = message;
  std::lock_guard lock(write_mutex_);
  while (!left.empty()) {
    const ssize_t n = ::write(fd_, left.data(), left.size());
    if (n > 0) {
      left.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      pollfd writable{fd_, POLLOUT, 0};
      ::poll(&writable, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace gantry::host
