#include "core/envelope.hpp"
#include "tools/tools.hpp"

namespace query {

void get_sample_objects(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "samples", "results");
}

}  // namespace query
