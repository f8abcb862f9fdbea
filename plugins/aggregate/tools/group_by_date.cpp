#include "tools/tools.hpp"

#include <gantry/data_answer.hpp>

namespace aggregate {

void group_by_date(const gantry::Data& data, gantry::Call& call) {
  gantry::answer_with_data(data, call, "group_by_date", "groups");
}

}  // namespace aggregate
