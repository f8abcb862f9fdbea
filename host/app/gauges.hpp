// host/app/gauges.hpp: connects the gauges of the metrics to the parts that know their values.
#pragma once

#include "host/app/observers.hpp"
#include "host/app/plugins.hpp"
#include "host/approvals/approvals.hpp"
#include "host/http/endpoint/endpoint.hpp"
#include "host/observe/metrics.hpp"

namespace gantry::host {

// Registers functions that run at each scrape. All arguments must live until the server has
// stopped; no scrape comes later.
void watch_server(Metrics& metrics, const http::Server& server, const http::Endpoint& endpoint,
                  const Sessions& sessions, const rpc::Dispatcher& dispatcher);
void watch_plugins(Metrics& metrics, Plugins& plugins);
void watch_approvals(Metrics& metrics, const Approvals& approvals);
void watch_observers(Metrics& metrics, const Observers& observers);

}  // namespace gantry::host
