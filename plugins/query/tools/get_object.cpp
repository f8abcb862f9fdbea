#include "tools/tools.hpp"

#include <gantry/data_answer.hpp>

namespace query {

void get_object(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "get", "object");
}

}  // namespace query
