#include "tools/tools.hpp"

#include <gantry/data_answer.hpp>

namespace query {

void explain_query(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "explain", "");
}

}  // namespace query
