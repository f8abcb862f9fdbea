#include "tools/tools.hpp"

#include "core/envelope.hpp"

namespace aggregate {

void aggregate(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "aggregate", "results");
}

}  // namespace aggregate
