// host/config/observe_settings.hpp: settings of the audit records and of traces, with keys and
// defaults.
//
// Values. The visitors are described in settings.hpp.
#pragma once

#include <cstddef>
#include <string>

namespace gantry::host {

struct AuditSettings {
  std::string file;                          // empty: records go to the log
  std::size_t keep = 10;                     // rotated files
  std::size_t max_bytes = 64u << 20;         // of the file; larger ones are rotated
  std::size_t max_waiting_bytes = 4u << 20;  // records that wait for the disk; more are dropped
  double usd_per_million_tokens = 0;         // of a model's input; 0: no cost is estimated
};

template <class S, class Visit>
void visit_audit(S& s, Visit&& visit) {
  visit("file", s.file);
  visit("keep", s.keep);
  visit("max_bytes", s.max_bytes);
  visit("max_waiting_bytes", s.max_waiting_bytes);
  visit("usd_per_million_tokens", s.usd_per_million_tokens);
}

struct TraceSettings {
  std::string otlp_url;             // empty: no traces
  double sample = 1;                // of the requests without a parent, 0 to 1
  std::size_t max_waiting = 2'048;  // spans that wait for the collector; more are dropped
};

template <class S, class Visit>
void visit_traces(S& s, Visit&& visit) {
  visit("otlp_url", s.otlp_url);
  visit("sample", s.sample);
  visit("max_waiting", s.max_waiting);
}

}  // namespace gantry::host
