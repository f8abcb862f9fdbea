// edge/writes_service.hpp: the service gantry.writes/1: what agents wrote, and taking it back, for
// the host's operators.
//
//   {"op":"list","limit"?,"agent"?,"class_name"?,"cursor"?}, {"op":"show","id"},
//   {"op":"undo","id","by"}
//
// The part "text" is the answer, JSON (ops/change/written.hpp, undo.hpp). Calls without the
// property "is_of_host", which only those have that the host makes for itself, are refused. Runs on
// the threads of the calls.
#pragma once

#include <gantry/offer.hpp>

#include "ops/service.hpp"

namespace gantry::data {

void offer_writes(Offer& offer, Service& service);

}  // namespace gantry::data
