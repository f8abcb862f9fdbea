// host/rpc/admin/sample_json.hpp: load and latency as JSON, for host.series and the event gauges.
//
// Pure functions; any thread.
#pragma once

#include <string>

#include "host/observe/series.hpp"

namespace gantry::host::rpc {

// "12.3": a number with at most three decimals.
std::string decimal(double number);
// Appends calls, errors, bytes, p50_ms, p95_ms, p99_ms to the open object.
void append_counts(std::string& out, const LoadCounts& counts);
// {time, calls, errors, bytes, p50_ms, p95_ms, p99_ms, running, queued}, without the closing brace.
std::string open_sample(const LoadSample& sample);

}  // namespace gantry::host::rpc
