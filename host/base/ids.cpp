#include "host/base/ids.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>

#include "host/base/text.hpp"

namespace gantry::host {

std::string random_hex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  for (std::size_t have = 0; have < bytes;) {
    const ssize_t n = getrandom(raw.data() + have, bytes - have, 0);
    if (n < 0 && errno != EINTR) std::abort();
    if (n > 0) have += static_cast<std::size_t>(n);
  }
  return to_hex(raw);
}

}  // namespace gantry::host
