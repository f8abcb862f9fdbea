// host/http/endpoint/byte_range.hpp: the bytes that a Range header requests (RFC 9110, 14.2). Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace gantry::host::http {

struct ByteRange {
  enum class Kind {
    whole,  // no range; malformed and multiple ones are ignored
    part,
    beyond,  // it begins behind the end
  };
  Kind kind = Kind::whole;
  std::uint64_t first = 0, end = 0;  // the bytes from `first` to before `end`
};

// The range of a body of `size` bytes; `header` may be empty.
ByteRange byte_range(std::string_view header, std::uint64_t size);

}  // namespace gantry::host::http
