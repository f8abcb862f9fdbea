// edge/items.hpp: the items of the plugin, all over one service.
//
// Runs on the threads of the calls.
#pragma once

#include <string>

#include <gantry/offer.hpp>

#include "exports/shelf.hpp"
#include "ops/service.hpp"

namespace gantry::data {

// gantry.data/1: {op, args} in, the parts "rows" and "meta" out. `export_store` null: no exports
// are kept. `download_path`: the path prefix of an export's download, before its id; empty: no
// downloads. gantry.redaction/1: the answer of another plugin in, the part "value" out if something
// in it is to be hidden (policy/redaction.hpp). gantry.instructions/1: the part "text" out, the
// introduction of the database for the call's agent (ops/introduction.hpp). gantry.access/1: the
// operation `access` alone, {class_name, tool} in, the part "meta" out (ops/access_ops.hpp); with
// "tell", of the host alone, the part "text" (ops/layers_ops.hpp, ops/model_check.hpp).
void offer_service(Offer& offer, Service& service, ExportStore* export_store,
                   const std::string& download_path);

// data://{class}/schema, /count and /samples: their contents, lists and completions.
void offer_resources(Offer& offer, Service& service);

}  // namespace gantry::data
