// tools/worker/tables.hpp: the contract's tables as a plugin in a worker gets them. Each has the
// meaning given in its ABI header, as in the host.
#pragma once

#include <gantry/abi/abi.h>

namespace gantry::worker {

const gantry_host_api& host_api();
const gantry_call_api& call_table();
const gantry_invoke_api& invoke_table();
const gantry_config_api& config_table();
const gantry_secret_api& secret_table();
const gantry_catalog_api& catalog_table();
const gantry_input_api& input_table();
const gantry_task_api& task_table();
const gantry_events_api& events_table();

}  // namespace gantry::worker
