// host/observe/audit.hpp: the audit record, one log line for each call, run or refused. It is
// written at every log level except `off`.
//
// It holds names and counts only, never an argument's value or a part of an answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/observe/log.hpp"

namespace gantry::host {

// A member that may be empty is left out of the line if it is.
struct AuditRecord {
  std::string_view tool{}, plugin{};  // as the client named it; the plugin that has it, or empty
  std::uint64_t generation = 0;
  std::string_view args_keys{};  // JSON array
  struct Caller {
    std::string_view name{};  // the profile
    std::string_view id{};    // the principal: equal for all requests of one credential
    int depth = 0;
    std::string_view auth_type{};
    bool master = false;  // the agent has no identity: neither a user nor roles
    std::string_view permissions{};
    std::string_view tenant{};  // may be empty
    // JSON arrays of the agent's lists; may be empty.
    std::string_view classes_only{}, classes_except{}, tools_only{}, tools_except{};
  } agent{};
  struct Outcome {
    bool ran = false;  // the plugin was entered
    bool success = false;
    std::string_view error_code{};   // when not a success
    std::string_view denial_kind{};  // may be empty
    std::uint64_t bytes = 0;         // of the answer; its tokens are estimated as a quarter of them
    double duration_ms = 0;
  } outcome{};
  std::string_view correlation_id{};  // may be empty
};

// Any thread.
void write_audit(Log& log, const AuditRecord& record) noexcept;

}  // namespace gantry::host
