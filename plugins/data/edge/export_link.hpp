// edge/export_link.hpp: exports that are kept for a while, as resources.
//
//   export://{id}          the whole, where it fits an answer
//   export://{id}/{part}   parts from 1; together they are the whole
//   export://{id}/about    what a download needs: {"bytes","starts","mime_type","name"}
//
// Only the agent that asked for an export reads it; for all others it is not there. Threads: those
// of the calls.
#pragma once

#include <memory>
#include <string_view>

#include <gantry/offer.hpp>

#include "exports/shelf.hpp"
#include "ops/service.hpp"
#include "watch/ticker.hpp"

namespace gantry::data {

// Whether a request to the service is for the operation export_link.
bool is_export_link(std::string_view request);

// Writes the rows to the shelf, telling of its progress; meta says where they can be read: its
// "download" is the path with the id behind it, unless the path is empty.
Status export_link(Service& service, Shelf& shelf, std::string_view download_path,
                   const Call& call);

// The resources; `shelf` null: there are none to read.
void offer_exports(Offer& offer, Shelf* shelf);

// Drops exports that are out of time as long as it lives.
Result<std::unique_ptr<Ticker>> start_sweeper(Shelf& shelf);

}  // namespace gantry::data
