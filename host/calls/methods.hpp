// host/calls/methods.hpp: class methods, as the host enters them.
//
// A method is entered by the built-in tool call_method, inside its call, with {object_id?, object?,
// arguments, dry_run?}. Gates, tier, lists, arguments and previews are decided here, so that no
// plugin can leave one out. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>

#include <rapidjson/fwd.h>

#include "host/calls/output.hpp"
#include "host/registry/snapshot.hpp"

namespace gantry::host {

struct CallTarget;

// The method that a call of `tool` with these arguments names. Null: it is not call_method, or no
// plugin offers such a method.
const Item* named_method(const Snapshot& snapshot, const Item& tool,
                         const rapidjson::Value& arguments);

// The same for arguments that are JSON text.
const Item* named_method(const Snapshot& snapshot, const Item& tool, std::string_view arguments);

// The tier of what a call of `tool` runs, which is the higher one. `method`: that it names, or
// null.
Tier tier_of(const Item& tool, const Item* method);
// The tier of what a client's call runs.
Tier tier_of(const CallTarget& target);

// Why a method is not entered with `entry`: an argument that it does not take, or one of a wrong
// form; a missing object, or one that a class method does not have.
std::optional<Output::Failure> wrong_entry(const Item& method, const rapidjson::Value& entry);

// The preview of a method that has none of its own: what would be called. The method is not run.
std::string structural_preview(const Item& method, const rapidjson::Value& entry);

}  // namespace gantry::host
