#include "tools/answers.hpp"
#include "tools/raw_write.hpp"

namespace mutation {

void update_object(const Services& services, gantry::Call& call) {
  write_objects(services, call,
                {.tool = "update_object",
                 .op = "update",
                 .takes_id = true,
                 .takes_data = true,
                 .answer = put_objects});
}

}  // namespace mutation
