#include "tools/raw_write.hpp"

#include <gantry/json_writer.hpp>

namespace mutation {
namespace {

// The ids as the caller gave them.
void put_ids(const gantry::Json& arguments, const gantry::DataReply&, gantry::JsonWriter& out) {
  const auto objects = arguments.find("objects");
  if (!objects) {
    out.key("object_id").raw(arguments.find("object_id")->text());
  } else {
    std::size_t count = 0;
    out.key("object_ids").begin_array();
    for (const gantry::Json each : objects->elements()) {
      const auto id = each.find("object_id");
      if (id) out.raw(id->text());
      ++count;
    }
    out.end_array().key("rows").number(count);
  }
  out.key("deleted").boolean(true);
}

}  // namespace

void delete_object(const Services& services, gantry::Call& call) {
  write_objects(services, call,
                {.tool = "delete_object", .op = "delete", .takes_id = true, .answer = put_ids});
}

}  // namespace mutation
