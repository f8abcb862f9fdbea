#include "host/app/gauges.hpp"

namespace gantry::host {
namespace {

void add_counts(const LoaderCounts& counts, Gauges& now) {
  const auto ended = counts.unloaded + counts.kept + counts.leaked;
  now.generations_alive += static_cast<std::int64_t>(counts.loaded - ended);
  now.generations_draining += static_cast<std::int64_t>(counts.draining);
  now.generations_stuck += static_cast<std::int64_t>(counts.stuck);
  now.generations_loaded += counts.loaded;
  now.generations_failed += counts.failed;
  now.libraries_leaked += counts.leaked;
}

}  // namespace

void watch_server(Metrics& metrics, const http::Server& server, const http::Endpoint& endpoint,
                  const Sessions& sessions, const rpc::Dispatcher& dispatcher) {
  metrics.at_scrape([&](Gauges& now) {
    const http::Counters counters = server.counters();
    now.connections_active += static_cast<std::int64_t>(counters.connections);
    now.bytes_received += counters.bytes_received;
    now.bytes_sent += counters.bytes_sent;
    now.pending = {counters.pending.held, counters.pending.refused};
    now.unread = {counters.unread.held, counters.unread.refused};
    now.streams_active += endpoint.request_streams();
    now.listeners_active += endpoint.listeners();
    now.sessions_active +=
        static_cast<std::int64_t>(sessions.size() + endpoint.connected_sessions());
    now.tasks_active += static_cast<std::int64_t>(dispatcher.tasks());
  });
}

void watch_observers(Metrics& metrics, const Observers& observers) {
  metrics.at_scrape([observers](Gauges& now) {
    now.audit_dropped += observers.audit->dropped();
    if (observers.tracer) now.spans_dropped += observers.tracer->dropped();
  });
}

void watch_approvals(Metrics& metrics, const Approvals& approvals) {
  metrics.at_scrape([&approvals](Gauges& now) {
    now.approvals_waiting += static_cast<std::int64_t>(approvals.waiting());
  });
}

void watch_plugins(Metrics& metrics, Plugins& plugins) {
  metrics.at_scrape([&plugins](Gauges& now) {
    now.calls_active += plugins.calls().running();
    now.calls_delayed += plugins.calls().delayed();
    now.queue_length += static_cast<std::int64_t>(plugins.calls().queued());
    now.subscriptions_active += static_cast<std::int64_t>(plugins.bus().watches());
    for (const PluginState& plugin : plugins.loader().list()) {
      if (plugin.generation != 0) now.plugin_generation[plugin.name] = plugin.generation;
      if (plugin.in_worker) now.plugin_restarts[plugin.name] = plugin.restarts;
      now.plugins_quarantined += plugin.state == "quarantined" ? 1 : 0;
    }
    add_counts(plugins.loader().counts(), now);
  });
}

}  // namespace gantry::host
