// write/acl.hpp: Parse's access list as its two columns. Pure; any thread.
#pragma once

#include <string>

#include "write/cell.hpp"

namespace gantry::data::write {

// {"*":{"read":true},"u1":{"read":true,"write":true}} gives ["*","u1"] and ["u1"]. False when the
// value is not an access list.
bool read_acl(const Cell& cell, std::string& readers, std::string& writers);

}  // namespace gantry::data::write
