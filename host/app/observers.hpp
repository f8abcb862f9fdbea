// host/app/observers.hpp: the audit and the traces of a running server, made from its settings.
//
// Main thread.
#pragma once

#include <memory>

#include <gantry/result.hpp>

#include "host/config/settings.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/log.hpp"
#include "host/observe/tracer.hpp"

namespace gantry::host {

struct Observers {
  std::shared_ptr<Audit> audit;    // never null
  std::shared_ptr<Tracer> tracer;  // null: no traces

  // Opens the audit file and begins the threads. An error is a sentence with the key. `log` must
  // outlive both.
  static Result<Observers> make(const Settings& settings, Log& log);
};

}  // namespace gantry::host
