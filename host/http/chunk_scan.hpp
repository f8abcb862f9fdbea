// host/http/chunk_scan.hpp (private): finds the end of a chunk's line, and of the last one's with
// the trailers.
//
// The parser after it must get such a part whole and alone: its result for half a part, or for one
// with more behind it, depends on where the network cut the bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "host/http/head_scan.hpp"

namespace gantry::host::http {

class ChunkScan {
 public:
  enum class Found { more, end, malformed };

  // `data` starts where the head or the bytes of the chunk before ended (`first`: the head), and is
  // the same again, or longer, until an end was found.
  Found look(std::string_view data, bool first);
  // After Found::end: size of the part, from the start of `data`.
  std::size_t size() const { return size_; }
  void clear() { *this = ChunkScan(); }

 private:
  HeadScan trailers_;  // the last chunk's line and the trailers
  std::size_t size_ = 0;
};

}  // namespace gantry::host::http
