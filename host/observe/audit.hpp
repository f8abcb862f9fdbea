// host/observe/audit.hpp: one line in the log for every call, run or refused.
//
// Names and counts only: no argument's value and nothing of an answer is ever in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/observe/log.hpp"

namespace gantry::host {

struct AuditRecord {
  std::string_view tool{}, plugin{};
  std::uint64_t generation = 0;
  std::string_view args_keys{};  // JSON array
  std::string_view agent{}, auth_type{}, permissions{};
  int depth = 0;
  bool success = false;
  std::string_view error_code{};  // when not a success
  std::uint64_t bytes = 0;        // of the answer
  double duration_ms = 0;
  std::string_view correlation_id{};  // may be empty
};

// At info level. Any thread.
void write_audit(Log& log, const AuditRecord& record) noexcept;

}  // namespace gantry::host
