#include "tools/answers.hpp"
#include "tools/raw_write.hpp"

namespace mutation {

void create_class(const Services& services, gantry::Call& call) {
  write_class(services, call, {.tool = "create_class", .op = "create_class", .answer = put_meta});
}

}  // namespace mutation
