#include "tools/answers.hpp"
#include "tools/raw_write.hpp"

namespace mutation {

void delete_class(const Services& services, gantry::Call& call) {
  write_class(services, call, {.tool = "delete_class", .op = "delete_class", .answer = put_meta});
}

}  // namespace mutation
