#include "host/app/gauges.hpp"

namespace gantry::host {

void watch_server(Metrics& metrics, const http::Server& server, const http::Endpoint& endpoint,
                  const Sessions& sessions, const rpc::Dispatcher& dispatcher) {
  metrics.at_scrape([&](Gauges& now) {
    const http::Counters counters = server.counters();
    now.connections_active += static_cast<std::int64_t>(counters.connections);
    now.bytes_received += counters.bytes_received;
    now.bytes_sent += counters.bytes_sent;
    now.streams_active += endpoint.request_streams();
    now.listeners_active += endpoint.listeners();
    now.sessions_active += static_cast<std::int64_t>(sessions.size());
    now.tasks_active += static_cast<std::int64_t>(dispatcher.tasks());
  });
}

void watch_plugins(Metrics& metrics, Plugins& plugins) {
  metrics.at_scrape([&plugins](Gauges& now) {
    now.calls_active += plugins.calls().running();
    now.queue_length += static_cast<std::int64_t>(plugins.calls().queued());
    now.subscriptions_active += static_cast<std::int64_t>(plugins.bus().watches());
    for (const PluginState& plugin : plugins.registry().states()) {
      if (plugin.state != "refused") now.plugin_generation[plugin.name] = plugin.generation;
    }
  });
}

}  // namespace gantry::host
