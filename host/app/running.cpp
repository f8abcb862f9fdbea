#include "host/app/running.hpp"

#include <cstdio>
#include <utility>

#include "host/app/options.hpp"

namespace gantry::host {

int refuse(const Status& status, int code) {
  std::fprintf(stderr, "gantryd: %s\n", status.message().c_str());
  return code;
}

rpc::ProtocolSettings Running::protocol(bool one_agent) const {
  rpc::ProtocolSettings protocol = protocol_settings_of(settings, one_agent);
  protocol.audit = observers.audit;
  protocol.tracer = observers.tracer;
  protocol.approvals =
      std::make_shared<Approvals>(log, metrics, rpc::approval_limits_of(protocol.limits));
  return protocol;
}

}  // namespace gantry::host
