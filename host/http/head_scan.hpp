// host/http/head_scan.hpp (private): finds the end of a request's head, strictly.
//
// The parser after it is lenient about line folding; a server that joins lines which another one
// in front of it did not join can be talked into seeing a different request. So lines are looked
// at as they arrive: each ends with CRLF and none starts with a blank.
#pragma once

#include <cstddef>
#include <string_view>

namespace gantry::host::http {

class HeadScan {
 public:
  enum class Found { more, end, bare_lf, folded };

  // `data` starts at the request line and is the same again, or longer, at each call.
  Found look(std::string_view data);
  // After Found::end: size of the head, with its empty line.
  std::size_t size() const { return line_; }
  // The request line's end has been seen.
  bool past_first_line() const { return line_ > 0; }
  void clear() { line_ = searched_ = 0; }

 private:
  std::size_t line_ = 0;      // where the current line starts
  std::size_t searched_ = 0;  // no LF between line_ and here
};

}  // namespace gantry::host::http
