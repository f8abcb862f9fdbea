// ops/change/transaction.hpp: begins and ends the transaction of an operation. Throws QueryError.
#pragma once

#include <string>
#include <string_view>

#include "ops/change/recorder.hpp"
#include "ops/change/rights.hpp"
#include "ops/request.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// Refuses a call that may not write up to `needed`.
void check_tier(WriteTier tier, WriteTier needed);

// Also throws StaleCatalog.
EditPtr begin_edit(const Request& request);
// Reads inside the transaction.
LeasePtr lease_of(Edit& edit, const Request& request);
// Commits what the recorder has seen, with its record: no write without one. `undoes`: the write
// that it takes back. Returns the record's id; empty: nothing is recorded.
std::string commit(Edit& edit, Recorder& recorder, std::string_view undoes = {});

}  // namespace gantry::data
