#include <gantry/data_answer.hpp>

#include "tools/tools.hpp"

namespace query {

void query_class(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "query", "results");
}

}  // namespace query
