// host/app/operators.hpp: what operators can ask of a running server: all methods of rpc/admin,
// wired to its parts, and the second hand of its charts.
//
// Made and destroyed by the main thread; its functions: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "host/app/permits.hpp"
#include "host/app/running.hpp"
#include "host/app/writes.hpp"
#include "host/approvals/approvals.hpp"
#include "host/base/timer.hpp"
#include "host/console/logins.hpp"
#include "host/rpc/admin/audit_search.hpp"
#include "host/rpc/admin/commands.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"

namespace gantry::host {

class Operators {
 public:
  // The parts that only some transports have. A null or empty member: this transport has none.
  struct Transport {
    Sessions* sessions = nullptr;
    console::Logins* logins = nullptr;        // of the console
    std::function<std::int64_t()> streams{};  // event streams that are open
  };

  // All must outlive this.
  Operators(const Running& running, rpc::Dispatcher& dispatcher, Approvals& approvals,
            Transport transport);

  // Where clients connect, from now on: a URL, or "stdio".
  void set_endpoint(std::string endpoint);
  // The facts of commands; they refer to this. `endpoint`: what host.info shows.
  rpc::AdminFacts facts(std::string endpoint);
  // The data of the event `gauges`.
  std::string gauges() const;
  // Answers the commands that wait. Before the parts stop.
  void stop() { search_.stop(); }

 private:
  rpc::AdminMethods methods();
  rpc::AdminMethod link_method();
  std::string endpoint() const;

  const Running& running_;
  rpc::Dispatcher& dispatcher_;
  Approvals& approvals_;
  const Transport transport_;
  const Permits permits_;
  const Writes writes_;
  const std::chrono::system_clock::time_point since_ = std::chrono::system_clock::now();
  rpc::AuditSearch search_;
  mutable std::mutex mutex_;  // of endpoint_
  std::string endpoint_;
  Timer seconds_{"gantry-second"};  // last: it uses the others
};

// The environment's variables for this program, GANTRY_…, as name and value.
std::vector<std::pair<std::string, std::string>> gantry_environment();

}  // namespace gantry::host
