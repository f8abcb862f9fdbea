// host/observe/record_filter.hpp: which audit records a search wants.
//
// Values and pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace gantry::host {

// Empty members want everything.
struct RecordFilter {
  std::string from{}, to{};  // times as a record's; `to` itself is not wanted
  std::string tool{}, agent{}, plugin{}, denial_kind{};
  std::string outcome{};         // "ok", "error", "denied" or an error code
  std::string correlation_id{};  // or an audit id

  // `json`: one record. False for a text that is none.
  bool wants(std::string_view json) const;
};

// The members of a record that searches and statistics read.
struct RecordFacts {
  std::string time, tool, agent, plugin, error_code, denial_kind, correlation_id, audit_id;
  bool success = false;
  double duration_ms = 0;
  double waited_ms = 0;  // for a person's approval

  bool is_denied() const;
};
// How long a call took without the time that it waited for a person, if that is part of it.
inline double worked_ms(double duration_ms, double waited_ms) {
  return waited_ms <= duration_ms ? duration_ms - waited_ms : duration_ms;
}

// False: the text is no record.
bool read_record(std::string_view json, RecordFacts& out);

}  // namespace gantry::host
