// host/rpc/admin/parameters.hpp (private): the parsing and checking of parameters.
//
// | form | value |
// | text (default) | a text that is not empty, without NUL |
// | note | such a text of at most 1,000 bytes |
// | file | the text of an absolute path |
// | time | the text of a time, ISO 8601 UTC |
// | texts | an array of texts |
// | flag | true or false |
// | number(A,B) | an integer from A to B |
// | object | an object |
//
// Pure functions; any thread.
#pragma once

#include <gantry/result.hpp>

#include <rapidjson/fwd.h>

#include "host/rpc/admin/method.hpp"

namespace gantry::host::rpc {

// Checks `params`, which may be null, against the method's list. An error is a sentence for the
// client.
Result<AdminParams> read_admin_parameters(const AdminMethod& method,
                                          const rapidjson::Value* params);

}  // namespace gantry::host::rpc
