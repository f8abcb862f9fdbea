#include "host/base/ids.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

namespace gantry::host {

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> raw(bytes);
  for (std::size_t have = 0; have < bytes;) {
    const ssize_t n = getrandom(raw.data() + have, bytes - have, 0);
    if (n < 0 && errno != EINTR) std::abort();
    if (n > 0) have += static_cast<std::size_t>(n);
  }
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes * 2);
  for (const unsigned char byte : raw) {
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

}  // namespace gantry::host
