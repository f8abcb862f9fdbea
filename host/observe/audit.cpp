#include "host/observe/audit.hpp"

#include <vector>

namespace gantry::host {

void write_audit(Log& log, const AuditRecord& record) noexcept {
  if (!log.wants(Level::info)) return;
  Field fields[] = {
      {"tool", record.tool},
      {"plugin", record.plugin},
      {"generation", record.generation},
      Field::json("args_keys", record.args_keys.empty() ? "[]" : record.args_keys),
      {"agent", record.agent},
      {"auth_type", record.auth_type},
      {"permissions", record.permissions},
      {"depth", record.depth},
      {"success", record.success},
      {"result_size", record.bytes},
      {"duration_ms", record.duration_ms},
      {"", ""},
      {"", ""},
  };
  std::size_t count = std::size(fields) - 2;
  if (!record.error_code.empty()) fields[count++] = {"error_code", record.error_code};
  if (!record.correlation_id.empty()) fields[count++] = {"correlation_id", record.correlation_id};
  log.write(Level::info, "call", std::span<const Field>(fields, count));
}

}  // namespace gantry::host
