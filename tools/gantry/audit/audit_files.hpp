// tools/gantry/audit/audit_files.hpp: reads an audit file and those that it was rotated into.
//
// Main thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

namespace gantry::cli {

using AuditRecords = std::vector<rapidjson::Document>;

// The records of FILE, FILE.1, FILE.2 and so on that are wanted, at most `most`, latest first.
// Lines that are no records or do not contain `part` are skipped. GANTRY_NOT_FOUND: FILE cannot be
// read, or one of them has lines and no record.
Result<AuditRecords> latest_records(const std::string& file, std::size_t most,
                                    const std::function<bool(const rapidjson::Value&)>& is_wanted,
                                    const std::string& part = {});

// Those of failed calls with this correlation id or audit id.
Result<AuditRecords> failed_calls(const std::string& file, const std::string& id, std::size_t most);

}  // namespace gantry::cli
