// tools/gantry/agent/audit_files.hpp: reads an audit file and those that it was rotated into.
//
// Main thread.
#pragma once

#include <string>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>

namespace gantry::cli {

// The records of failed calls with this correlation id or audit id in FILE, FILE.1, FILE.2 and so
// on, at most `most`, latest first. Lines that are no records are skipped. GANTRY_NOT_FOUND: FILE
// cannot be read.
Result<std::vector<rapidjson::Document>> failed_calls(const std::string& file,
                                                      const std::string& id, std::size_t most);

}  // namespace gantry::cli
