#include "host/http/chunk_scan.hpp"

namespace gantry::host::http {
namespace {

// The line of a chunk without bytes: the last.
bool is_last(std::string_view line) {
  const auto size = line.substr(0, line.find_first_not_of("0123456789abcdefABCDEF"));
  return !size.empty() && size.find_first_not_of('0') == size.npos;
}

}  // namespace

ChunkScan::Found ChunkScan::look(std::string_view data, bool first) {
  const std::size_t start = first ? 0 : 2;  // the chunk before ends with CRLF
  if (data.size() < start) return Found::more;
  if (data.substr(0, start) != std::string_view("\r\n", start)) return Found::malformed;
  const auto lf = data.find('\n', start);
  if (lf == data.npos) return Found::more;
  if (lf == start || data[lf - 1] != '\r') return Found::malformed;
  size_ = lf + 1;
  if (!is_last(data.substr(start, lf - 1 - start))) return Found::end;
  switch (trailers_.look(data.substr(start))) {
    case HeadScan::Found::more:
      return Found::more;
    case HeadScan::Found::end:
      size_ = start + trailers_.size();
      return Found::end;
    default:
      return Found::malformed;
  }
}

}  // namespace gantry::host::http
