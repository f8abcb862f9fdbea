// journal/journal.hpp: what transactions wrote, in a file of the server's own, so that it can be
// listed and taken back.
//
// A record is appended before the COMMIT of its transaction, under the database's lock for writing,
// and settled after it. One that is still pending when the next transaction begins is of a process
// that was killed between: the rows tell whether it was committed (ops/change/recorder.hpp). Heads
// and images are sealed each for itself; what cannot be opened, because the key is another one or
// the bytes were changed, is left out, and the log says so once. The file is opened at its first
// use. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/record.hpp"
#include "journal/record_log.hpp"
#include "journal/seal.hpp"

namespace gantry::data {

class Journal {
 public:
  struct Options {
    std::string directory;  // made if it is missing
    std::string database;   // the path of its file; records of one are not those of another
    std::string secret;     // of Seal
    RecordLimits limits;
    std::function<void(const std::string&)> said;  // a sentence for the operator's log
  };
  struct Entry {
    WriteHead head;
    std::int64_t number = 0;
    bool is_pending = false;
  };

  explicit Journal(Options options);

  // The bytes of images that one record may have.
  std::size_t most_bytes() const { return options_.limits.bytes; }

  // Errors are sentences that name the file.
  Status append(const WriteHead& head, const Images& images);
  Status settle(const std::string& id, bool is_kept);

  // At most `most` entries before the number, the newest first, and where the next ones begin (0:
  // there are none). Pending ones are among them.
  struct Page {
    std::vector<Entry> entries;
    std::int64_t next = 0;
  };
  Result<Page> newest(std::int64_t before, std::size_t most);
  // Under the database's lock for writing, at the begin of a transaction that appends. Those that
  // cannot be read are removed. A file that was removed by hand is made anew.
  Result<std::vector<Entry>> pending();
  Result<std::optional<Entry>> find(const std::string& id);
  // GANTRY_NOT_FOUND: they cannot be read.
  Result<Images> images(const std::string& id);
  // The write that took this one back, and was not taken back itself; empty: none.
  Result<std::string> undone_by(const std::string& id);

  // Records that could not be read since the start.
  std::size_t unreadable() const { return unreadable_; }

 private:
  // The file at the path, which is made where it is missing.
  Result<std::shared_ptr<RecordLog>> log();
  // The file of the last log(), which may have been removed since.
  Result<std::shared_ptr<RecordLog>> known_log();
  std::optional<Entry> opened(const RecordLog::Entry& entry);
  void note_unreadable();

  const Options options_;
  const Seal seal_;
  const std::string path_;
  std::atomic<std::size_t> unreadable_{0};
  std::mutex mutex_;  // of log_
  std::shared_ptr<RecordLog> log_;
};

// Whose request a transaction serves; texts of the call.
struct WriteOrigin {
  std::string_view agent;  // JSON {name, user?, …}; empty: not known
  std::string_view tool, correlation_id;
};

}  // namespace gantry::data
