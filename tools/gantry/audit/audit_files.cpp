#include "tools/gantry/audit/audit_files.hpp"

#include <deque>
#include <fstream>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using Wanted = std::function<bool(const rapidjson::Value&)>;

bool is_failure_of(const rapidjson::Value& record, const std::string& id) {
  if (text_at(record, "error_code").empty()) return false;
  return text_at(record, "correlation_id") == id || text_at(record, "audit_id") == id;
}

// What a file is; other: it has lines, and no record.
enum class AuditFileKind { absent, audit, other };

// The last `most` of the file, in its order.
AuditFileKind read_audit_file(const std::string& file, std::size_t most, const Wanted& is_wanted,
                              const std::string& part, std::deque<rapidjson::Document>& out) {
  std::ifstream in(file);
  bool has_line = false, has_record = false;
  for (std::string line; std::getline(in, line);) {
    has_line = true;
    const bool may_be_wanted = line.find(part) != std::string::npos;
    if (has_record && !may_be_wanted) continue;  // parsing is slower
    rapidjson::Document record = parsed(line);
    if (!record.IsObject()) continue;
    has_record = true;
    if (!may_be_wanted || record.HasMember("dropped") || !is_wanted(record)) continue;
    out.push_back(std::move(record));
    if (out.size() > most) out.pop_front();
  }
  if (!in.is_open() || in.bad()) return AuditFileKind::absent;
  return has_record || !has_line ? AuditFileKind::audit : AuditFileKind::other;
}

}  // namespace

Result<AuditRecords> latest_records(const std::string& file, std::size_t most,
                                    const Wanted& is_wanted, const std::string& part) {
  AuditRecords out;
  std::string name = file;
  for (std::size_t n = 1; out.size() < most; ++n) {
    std::deque<rapidjson::Document> found;
    const AuditFileKind kind = read_audit_file(name, most - out.size(), is_wanted, part, found);
    if (kind == AuditFileKind::absent && n > 1) break;
    if (kind == AuditFileKind::absent)
      return Status::not_found("cannot read the audit file " + file);
    if (kind == AuditFileKind::other) {
      return Status::not_found(name + " is no audit file: none of its lines is a record");
    }
    for (auto it = found.rbegin(); it != found.rend(); ++it) out.push_back(std::move(*it));
    name = file + "." + std::to_string(n);
  }
  return out;
}

Result<AuditRecords> failed_calls(const std::string& file, const std::string& id,
                                  std::size_t most) {
  return latest_records(
      file, most, [&id](const rapidjson::Value& record) { return is_failure_of(record, id); }, id);
}

}  // namespace gantry::cli
