// host/app/gauges.hpp: where the gauges of the metrics come from.
#pragma once

#include "host/app/plugins.hpp"
#include "host/http/endpoint/endpoint.hpp"
#include "host/observe/metrics.hpp"

namespace gantry::host {

// Read at each scrape. All must live until the server has stopped, after which nobody scrapes.
void watch_server(Metrics& metrics, const http::Server& server, const http::Endpoint& endpoint,
                  const Sessions& sessions, const rpc::Dispatcher& dispatcher);
void watch_plugins(Metrics& metrics, Plugins& plugins);

}  // namespace gantry::host
