#include "core/envelope.hpp"
#include "tools/tools.hpp"

namespace query {

void get_object(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "get", "object");
}

}  // namespace query
