#include "core/envelope.hpp"
#include "tools/tools.hpp"

namespace query {

void get_objects(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "get_many", "objects");
}

}  // namespace query
