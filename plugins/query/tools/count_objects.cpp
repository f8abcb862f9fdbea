#include "core/envelope.hpp"
#include "tools/tools.hpp"

namespace query {

void count_objects(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "count", "");
}

}  // namespace query
