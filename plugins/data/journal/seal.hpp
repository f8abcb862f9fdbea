// journal/seal.hpp: encrypts and authenticates bytes with one key. Pure but for random numbers; any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

class Seal {
 public:
  // Of a secret that is long enough: random bytes, of which a file's reader may take the last for
  // the end of a line.
  static constexpr std::size_t kLeastSecret = 31;

  // The key is made of the secret, which has at least kLeastSecret bytes.
  explicit Seal(std::string_view secret);
  ~Seal();
  Seal(const Seal&) = delete;
  Seal& operator=(const Seal&) = delete;

  // `binding`: what the bytes are of; open() has to name the same.
  std::string close(std::string_view binding, std::string_view bytes) const;
  // Nothing: the bytes were not sealed with this key for this binding, or were changed.
  std::optional<std::string> open(std::string_view binding, std::string_view sealed) const;

 private:
  std::string key_;
};

// Digits that name a text: other ones for another text.
std::string name_of(std::string_view text);
// An id for a record: 24 hexadecimal digits, random.
std::string random_record_id();

}  // namespace gantry::data
