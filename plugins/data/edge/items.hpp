// edge/items.hpp: the items of the plugin, each over the one service.
//
// Threads: those of the calls.
#pragma once

#include <string>

#include <gantry/offer.hpp>

#include "exports/shelf.hpp"
#include "ops/service.hpp"
#include "watch/read_notes.hpp"

namespace gantry::data {

// gantry.data/1: {op, args} in, the parts "rows" and "meta" out. `shelf` null: no exports are kept;
// `download_path`: what stands before an export's id where it can be downloaded, or empty.
void offer_service(Offer& offer, Service& service, Shelf* shelf, const std::string& download_path);

// data://{class}/schema, /count and /samples: their contents, lists and completions. What is read
// is noted; `notes` outlives the offer.
void offer_resources(Offer& offer, Service& service, ReadNotes& notes);

}  // namespace gantry::data
