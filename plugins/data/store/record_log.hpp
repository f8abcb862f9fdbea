// store/record_log.hpp: opaque records in one file of their own, apart from every database.
//
// Numbered in the order in which they were appended. An appended record is pending until settle()
// keeps it. What was appended survives the end of the process, not that of the machine: nothing is
// forced to the disk. Records beyond the limits are removed, the oldest first. Several processes
// may use one file. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::data {

struct RecordLimits {
  std::uint64_t bytes = 0;           // of all records together
  std::chrono::milliseconds age{0};  // an older one is removed
};

class RecordLog {
 public:
  // What begins a record; its body is read apart.
  struct Entry {
    std::int64_t number = 0;
    std::string id, head;
    bool is_pending = false;
  };
  struct Record {
    std::string id;        // no other record has it
    std::string replaces;  // the id of the record that this one takes back; may be empty
    std::string_view head, body;
  };

  // Makes the file with mode 0600 where it is missing. A damaged file is set aside under the name
  // PATH.damaged, and `said` is called with a sentence for the operator.
  static Result<std::unique_ptr<RecordLog>> open(
      const std::string& path, RecordLimits limits,
      const std::function<void(const std::string&)>& said);
  virtual ~RecordLog() = default;

  // GANTRY_TOO_BIG: the record alone is beyond the limit. Other errors are sentences.
  virtual Status append(const Record& record) = 0;
  // Keeps the pending record, or removes it.
  virtual Status settle(const std::string& id, bool is_kept) = 0;

  // At most `most` entries before the number, the newest first; pending ones too.
  virtual Result<std::vector<Entry>> newest(std::int64_t before, std::size_t most) = 0;
  virtual Result<std::vector<Entry>> pending() = 0;
  virtual Result<std::optional<Entry>> find(const std::string& id) = 0;
  virtual Result<std::string> body(const std::string& id) = 0;
  // The kept record that takes this one back, the newest; empty: none.
  virtual Result<std::string> replacement(const std::string& id) = 0;
  // Whether the file is still the one at the path: it may have been removed by hand.
  virtual bool is_there() const = 0;
};

}  // namespace gantry::data
