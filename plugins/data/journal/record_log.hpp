// journal/record_log.hpp: opaque records in one file of their own, apart from every database.
//
// Numbered in the order in which they were appended. An appended record is pending until settle()
// keeps it. What was appended survives the end of the process, not that of the machine: nothing is
// forced to the disk. Records beyond the limits are removed and overwritten, the oldest first.
// Several processes may use one file. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/locked_file.hpp"
#include "journal/record_ring.hpp"

namespace gantry::data {

struct RecordLimits {
  std::uint64_t bytes = 0;           // of the room for all records together
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
  // Ids have at most 24 bytes.
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

  // GANTRY_TOO_BIG: the record alone is beyond the limit. Other errors are sentences.
  Status append(const Record& record);
  // Keeps the pending record, or removes it.
  Status settle(const std::string& id, bool is_kept);

  // At most `most` entries before the number, the newest first; pending ones too.
  Result<std::vector<Entry>> newest(std::int64_t before, std::size_t most);
  Result<std::vector<Entry>> pending();
  Result<std::optional<Entry>> find(const std::string& id);
  Result<std::string> body(const std::string& id);
  // The kept record that takes this one back, the newest; empty: none.
  Result<std::string> replacement(const std::string& id);
  // Whether the file is whole and still the one at the path: it may have been removed by hand.
  bool is_there();

 private:
  RecordLog(const std::string& path, RecordLimits limits)
      : limits_(limits), file_(path), ring_(file_, limits.bytes) {}
  Status check();
  bool is_quiet();
  // Runs `work` while the file is locked.
  Status locked(const std::function<Status()>& work);
  Status remove_old();
  // The newest that `fits` and was not dropped.
  Result<std::optional<PlacedFrame>> newest_that(
      const std::function<bool(const PlacedFrame&)>& fits);
  Result<std::optional<PlacedFrame>> placed(const std::string& id);
  Result<Entry> entry_of(const PlacedFrame& one);
  Result<std::string> bytes_at(std::uint64_t at, std::uint64_t size);
  std::int64_t oldest() const;
  // Notes new records that take others back.
  Status note_replacing();

  const RecordLimits limits_;
  std::mutex mutex_;  // of all below
  LockedFile file_;
  RecordRing ring_;
  std::string last_id_;  // of the last append()
  std::int64_t last_number_ = 0;
  std::vector<PlacedFrame> replacing_;  // that take others back, in their order
  std::int64_t noted_ = 0;              // records before this number have been looked at for that
};

}  // namespace gantry::data
