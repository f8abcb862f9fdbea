#include "tools/tools.hpp"

#include <gantry/data_answer.hpp>

namespace aggregate {

void distinct(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "distinct", "values");
}

}  // namespace aggregate
