// host/calls/fitting.hpp (private): arguments as models write them, in the types of their schema.
//
// Models write {"limit": "5"}, {"keys": "name"} or {"where": "{\"age\": 5}"}. Where an argument has
// another type than the tool's input schema wants, a conversion that loses nothing is tried:
//
//   text that is JSON of the wanted type -> that JSON;
//   number, true, false -> its text, of an argument or an element of an array;
//   a single value -> an array of it; an object in an array of texts -> its JSON text;
//   an array for an object with the member "0" -> an object of its elements by number, from 1
//   null -> no argument
//
// Nothing else is changed: all other bytes stay as the client wrote them. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/registry/snapshot.hpp"

namespace gantry::host {

// `arguments` is a JSON object that the tool's input schema refuses. Empty: it still does after the
// conversions.
std::optional<std::string> fitting_arguments(const Item& tool, std::string_view arguments);

}  // namespace gantry::host
