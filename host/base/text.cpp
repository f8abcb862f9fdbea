#include "host/base/text.hpp"

#include <algorithm>

namespace gantry::host {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return contract::lowered(x) == contract::lowered(y); });
}

}  // namespace gantry::host
