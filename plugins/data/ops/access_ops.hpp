// ops/access_ops.hpp: what an agent may do with one class, without a look at its rows.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// access: {class_name, tool?} -> meta {class_name, operations, fields}: which of find, get and
// count the class's permissions give, and the names of the fields, of an open class those that the
// model describes. With a tool, the error that its call for this class would end with before it
// reads a row; the error too where no operation is left. Throws QueryError.
Reply describe_access(const Request& request);

}  // namespace gantry::data
