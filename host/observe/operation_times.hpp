// host/observe/operation_times.hpp (private): the durations of clients' requests by method, tool
// and error, as OpenTelemetry names them.
//
// Any thread, all functions. Once a series exists observe() takes no lock and allocates nothing.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include <prometheus/metric_family.h>

#include "host/observe/labels.hpp"
#include "host/observe/name_table.hpp"
#include "host/observe/seconds.hpp"

namespace gantry::host {

class OperationTimes {
 public:
  // At most `tools` names; further ones are "other".
  explicit OperationTimes(std::size_t tools);

  // `method`: its place in kMethods, or beyond. `tool`: a name of the registry, or empty. `error`:
  // empty for success; values not in kErrorTypes are "other".
  void observe(std::size_t method, std::string_view tool, std::string_view error,
               std::chrono::nanoseconds took);

  // mcp_server_operation_duration_seconds. A label without a value is left out.
  prometheus::MetricFamily read() const;

 private:
  using ByError = std::array<LazySeconds, kErrorTypes.size() + 1>;
  struct Tool {
    std::string name;
    ByError by_error;
  };
  static void append(prometheus::MetricFamily& family, std::string_view method,
                     std::string_view tool, const ByError& by_error);

  std::array<ByError, kMethods.size() + 1> by_method_;  // without a tool
  NameTable<Tool> tools_;                               // of tools/call
};

}  // namespace gantry::host
