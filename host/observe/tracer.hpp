// host/observe/tracer.hpp: decides which requests have spans, and sends the finished ones to a
// collector by OTLP over HTTP, as JSON.
//
// end() never waits: it puts the span into a bounded queue. The thread "gantry-traces" sends what
// waits, every second or when many wait, and drops what the collector does not take; dropped()
// counts these and the spans that found the queue full, and the log says when sending begins to
// fail. Nothing is sent twice. `mutex_` guards the queue alone; only the thread uses libcurl. All
// functions may be called on any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gantry/status.hpp>

#include "host/observe/log.hpp"
#include "host/observe/span.hpp"

namespace gantry::host {

struct TracerOptions {
  std::string url;                  // of the collector, with its path
  double sample = 1;                // part of the requests without a parent, 0 to 1
  std::size_t max_waiting = 2'048;  // spans in the queue
  std::string version{};            // of the program
  std::chrono::milliseconds every{1'000};
  // Sends one body; an error is a sentence. Empty: by libcurl. Called on the tracer's thread.
  std::function<Status(const std::string& body)> send{};
};

class Tracer {
 public:
  // `log` must outlive the object.
  Tracer(TracerOptions options, Log& log);
  // Sends what waits, for at most 2 s.
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // A span that begins now, or nothing: the request is not sampled. With a parent its flag decides,
  // else the configured part of all requests.
  std::optional<Span> begin(const std::optional<TraceContext>& parent) const;
  // A span inside `parent`, without times.
  static Span inside(const Span& parent);
  // Takes a finished span; sets its end if it has none.
  void end(Span&& span) noexcept;
  // Spans that no collector got.
  std::uint64_t dropped() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace gantry::host
