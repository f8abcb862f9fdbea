#include "core/envelope.hpp"
#include "tools/tools.hpp"

namespace query {

void explain_query(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "explain", "");
}

}  // namespace query
