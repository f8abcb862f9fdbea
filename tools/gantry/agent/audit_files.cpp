#include "tools/gantry/agent/audit_files.hpp"

#include <fstream>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using Records = std::vector<rapidjson::Document>;

bool is_wanted(const rapidjson::Value& record, const std::string& id) {
  if (!record.IsObject() || text_at(record, "error_code").empty()) return false;
  return text_at(record, "correlation_id") == id || text_at(record, "audit_id") == id;
}

// In the order of the file. False: there is no such file.
bool read_audit_file(const std::string& file, const std::string& id, Records& out) {
  std::ifstream in(file);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    if (line.find(id) == std::string::npos) continue;  // parsing is slower
    rapidjson::Document record = parsed(line);
    if (is_wanted(record, id)) out.push_back(std::move(record));
  }
  return true;
}

}  // namespace

Result<Records> failed_calls(const std::string& file, const std::string& id, std::size_t most) {
  Records out;
  std::string name = file;
  for (std::size_t n = 1; out.size() < most; ++n) {
    Records found;
    if (!read_audit_file(name, id, found)) {
      if (n > 1) break;
      return Status::not_found("cannot read the audit file " + file);
    }
    for (auto it = found.rbegin(); it != found.rend() && out.size() < most; ++it) {
      out.push_back(std::move(*it));
    }
    name = file + "." + std::to_string(n);
  }
  return out;
}

}  // namespace gantry::cli
