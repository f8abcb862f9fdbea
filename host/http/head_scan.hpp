// host/http/head_scan.hpp (private): finds the end of a request's head, strictly.
//
// The parser after it is lenient about line folding. A server that joins lines which a proxy in
// front of it did not join sees a different request (request smuggling). So lines are checked as
// they arrive: each ends with CRLF and none starts with a blank.
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
  // Size of the request line with its end; 0 before that has come.
  std::size_t first_line() const { return first_line_; }
  void clear() { line_ = searched_ = first_line_ = 0; }

 private:
  std::size_t line_ = 0;      // where the current line starts
  std::size_t searched_ = 0;  // no LF between line_ and here
  std::size_t first_line_ = 0;
};

}  // namespace gantry::host::http
