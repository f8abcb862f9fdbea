#include "host/app/serve_stdio.hpp"

#include "host/app/control.hpp"
#include "host/app/operators.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/stdio/stdio.hpp"

namespace gantry::host {
namespace {

StdioOptions stdio_options(const Running& running) {
  const Settings& settings = running.settings;
  StdioOptions options;
  options.max_line = settings.http.limits.body_bytes;
  options.max_unread = settings.http.limits.unread_bytes;
  options.grace = settings.limits.stdio_grace;
  options.max_listeners = settings.limits.streams.listeners;
  options.on_end = [&plugins = running.plugins] { plugins.bus().end(); };
  return options;
}

}  // namespace

int serve_stdio(const Running& running) {
  const SystemClock clock;
  Plugins& plugins = running.plugins;
  const rpc::ProtocolSettings protocol = running.protocol(true);
  rpc::Dispatcher dispatcher(plugins.registry(), plugins.calls(), running.log, running.metrics,
                             plugins.bus(), clock, protocol);
  Operators operators(running, dispatcher, *protocol.approvals, {});
  operators.set_endpoint("stdio");
  const auto control =
      Control::start(running.settings, plugins.loader(), running.log, operators.facts("stdio"));
  if (!control) return refuse(control.status(), kCannotListen);
  protocol.approvals->set_operators((*control)->is_open());
  const StdioOptions options = stdio_options(running);
  Stdio stdio(dispatcher, *running.access.stdio(), clock, running.metrics, options);
  stdio.run(running.signals.fd());
  operators.stop();
  running.signals.release();
  dispatcher.stop();
  plugins.calls().drain(options.grace);
  return 0;
}

}  // namespace gantry::host
