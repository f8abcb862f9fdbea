#include "tools/answers.hpp"
#include "tools/raw_write.hpp"

namespace mutation {

void create_object(const Services& services, gantry::Call& call) {
  write_objects(
      services, call,
      {.tool = "create_object", .op = "create", .takes_data = true, .answer = put_objects});
}

}  // namespace mutation
