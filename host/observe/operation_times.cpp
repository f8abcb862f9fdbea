#include "host/observe/operation_times.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kToolMethod = "tools/call";

}  // namespace

OperationTimes::OperationTimes(std::size_t tools)
    : tools_(tools, [](Tool& tool, const std::string& name) { tool.name = name; }) {}

void OperationTimes::observe(std::size_t method, std::string_view tool, std::string_view error,
                             std::chrono::nanoseconds took) {
  const bool has_tool = !tool.empty() && name_in(kMethods, method) == kToolMethod;
  ByError& times = has_tool ? tools_.at(tool).by_error : by_method_[method];
  times[place_in(kErrorTypes, error)].observe(took);
}

prometheus::MetricFamily OperationTimes::read() const {
  prometheus::MetricFamily family{"mcp_server_operation_duration_seconds",
                                  "Seconds from a client's request to its answer, by method, tool "
                                  "and error (OpenTelemetry's mcp.server.operation.duration)",
                                  prometheus::MetricType::Histogram,
                                  {}};
  for (std::size_t i = 0; i < by_method_.size(); ++i)
    append(family, name_in(kMethods, i), {}, by_method_[i]);
  tools_.each([&](const Tool& tool) { append(family, kToolMethod, tool.name, tool.by_error); });
  return family;
}

void OperationTimes::append(prometheus::MetricFamily& family, std::string_view method,
                            std::string_view tool, const ByError& by_error) {
  for (std::size_t i = 0; i < by_error.size(); ++i) {
    const Seconds* const seconds = by_error[i].find();
    if (seconds == nullptr) continue;
    prometheus::ClientMetric& metric = family.metric.emplace_back();
    metric.histogram = seconds->read();
    const auto add = [&metric](const char* name, std::string_view value) {
      if (!value.empty()) metric.label.push_back({name, std::string(value)});
    };
    add("mcp_method_name", method);
    add("gen_ai_tool_name", tool);
    add("error_type", name_in(kErrorTypes, i));
  }
}

}  // namespace gantry::host
