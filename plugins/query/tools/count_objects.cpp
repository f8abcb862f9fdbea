#include "tools/tools.hpp"

#include <gantry/data_answer.hpp>

namespace query {

void count_objects(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "count", "");
}

}  // namespace query
