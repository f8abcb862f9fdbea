// edge/export_link.hpp: exports that are kept for a while, as resources.
//
//   export://{id}          the whole export, if it fits an answer
//   export://{id}/{part}   parts from 1; together they are the whole
//   export://{id}/about    the description of a download: {"bytes","starts","mime_type","name"}
//
// Only the agent that made an export can read it, with the same rights and under the same model;
// for all others it does not exist. Runs on the threads of the calls.
#pragma once

#include <memory>
#include <string_view>

#include <gantry/offer.hpp>

#include "exports/shelf.hpp"
#include "ops/service.hpp"
#include "watch/ticker.hpp"

namespace gantry::data {

// Whether a service request is the operation export_link.
bool is_export_link(std::string_view request);

// Writes the rows to the store of exports and reports progress. `meta` says where they can be read;
// its "download" is `download_path` followed by the id, unless the path is empty.
Status export_link(Service& service, ExportStore& export_store, std::string_view download_path,
                   const Call& call);

// Offers the resources; `export_store` null: offers none.
void offer_exports(Offer& offer, Service& service, ExportStore* export_store);

// Starts a thread that drops expired exports while the ticker lives.
Result<std::unique_ptr<Ticker>> start_sweeper(ExportStore& export_store);

}  // namespace gantry::data
