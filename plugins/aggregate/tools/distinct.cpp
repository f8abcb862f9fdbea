#include "tools/tools.hpp"

#include "core/envelope.hpp"

namespace aggregate {

void distinct(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "distinct", "values");
}

}  // namespace aggregate
