#include "host/auth/digest.hpp"

#include "host/base/text.hpp"

namespace gantry::host {

std::string digest_of(std::initializer_list<std::string_view> parts) {
  std::string bytes;
  for (const std::string_view part : parts) bytes.append(big_endian(part.size())).append(part);
  return sha256_hex(bytes);
}

std::string fingerprint_of(std::string_view text) { return fingerprint_of(sha256(text)); }

std::string fingerprint_of(const Sha256& digest) {
  constexpr std::size_t kShown = 4;
  return to_hex({reinterpret_cast<const char*>(digest.data()), kShown});
}

std::string big_endian(std::uint64_t number) {
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 255);
  return out;
}

}  // namespace gantry::host
