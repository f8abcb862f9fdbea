#include "host/http/head_scan.hpp"

namespace gantry::host::http {

HeadScan::Found HeadScan::look(std::string_view data) {
  for (;;) {
    if (line_ > 0 && line_ < data.size() && (data[line_] == ' ' || data[line_] == '\t')) {
      return Found::folded;
    }
    std::size_t lf = data.find('\n', searched_);
    if (lf == data.npos) {
      searched_ = data.size();
      return Found::more;
    }
    if (lf == line_ || data[lf - 1] != '\r') return Found::bare_lf;
    bool empty = lf == line_ + 1;
    line_ = searched_ = lf + 1;
    if (first_line_ == 0) first_line_ = line_;
    if (empty) return Found::end;
  }
}

}  // namespace gantry::host::http
