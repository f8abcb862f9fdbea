// host/observe/span.hpp: one finished span and its form in OTLP/JSON.
//
// A value. A span holds names, ids and codes, never arguments or parts of an answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/observe/trace_context.hpp"

namespace gantry::host {

struct Span {
  using Time = std::chrono::system_clock::time_point;

  std::string name;
  TraceContext self;
  std::string parent_id;             // span id; empty: it is the root of its trace
  std::optional<TraceContext> link;  // another context that the request carried
  Time begin{}, end{};
  std::vector<std::pair<std::string_view, std::string>> attributes;  // names are constants
  std::vector<std::pair<std::string_view, std::int64_t>> numbers{};  // attributes too
  bool failed = false;
  bool asks_another = false;  // of the kind CLIENT, else SERVER

  // Adds nothing for an empty value. A value of more than 256 bytes loses its middle.
  void add(std::string_view key, std::string_view value);
  void add(std::string_view key, std::int64_t value) { numbers.emplace_back(key, value); }
};

// The body of a request to a collector: {"resourceSpans":[…]}.
std::string otlp_json(std::span<const Span> spans, std::string_view version);

}  // namespace gantry::host
