#include "tools/tools.hpp"

#include "core/envelope.hpp"

namespace aggregate {

void group_by(const gantry::Data& data, gantry::Call& call) {
  answer(data, call, "group_by", "groups");
}

}  // namespace aggregate
