// host/base/json.hpp: the JSON writing of the contract kit, under the host's name.
#pragma once

#include "sdk/contract/json_text.hpp"

namespace gantry::host {

using contract::append_compact;
using contract::append_escape;
using contract::append_json_member;
using contract::append_json_string;
using contract::append_name;
using contract::append_text_member;
using contract::json_string;
using contract::put_on_one_line;

}  // namespace gantry::host
