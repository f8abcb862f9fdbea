// host/observe/record_files.hpp: searches the audit file and its rotated ones, the newest first.
//
// Reads from the end of each file, so that the newest records cost least. Blocks for the time of
// reading. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "host/observe/record_filter.hpp"

namespace gantry::host {

struct FoundRecords {
  std::vector<std::string> records;  // the newest first
  bool more = false;                 // the search ended before all records were looked at
  std::string oldest;                // time of the oldest record that is there; may be empty
};

// At most `most` records. It ends after `patience`.
FoundRecords search_record_files(const std::filesystem::path& file, const RecordFilter& filter,
                                 std::size_t most, std::chrono::milliseconds patience);

}  // namespace gantry::host
