// host/observe/audit_file.hpp: the audit file, one JSON object a line, written by its own thread.
//
// add() copies nothing to the disk: it puts the line into a bounded queue and never waits for the
// disk. The thread "gantry-audit" appends what waits. The file is rotated when the next lines would
// make it larger than `max_bytes`, and at the first line of a new day (UTC): it is synced to the
// disk, FILE becomes FILE.1, FILE.1 becomes FILE.2, and the oldest beyond `keep` is removed.
//
// Lines that find the queue full, or that the disk does not take, are dropped. dropped() counts
// them, the log says when that begins, and the file gets a line {"time":…,"dropped":N} as soon as
// it takes lines again. A line is whole in the file or not in it.
//
// Only the thread "gantry-audit" uses the descriptor after open(); `mutex_` guards the queue. All
// functions may be called on any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <gantry/result.hpp>

#include "host/observe/log.hpp"

namespace gantry::host {

struct AuditFileOptions {
  std::filesystem::path path;
  std::size_t keep = 10;                     // rotated files; 0: none, the old records are removed
  std::size_t max_bytes = 64u << 20;         // of the file
  std::size_t max_waiting_bytes = 4u << 20;  // of lines that wait for the disk
  // The time of day for rotation; replaced in tests.
  std::function<std::chrono::system_clock::time_point()> now = std::chrono::system_clock::now;
};

class AuditFile {
 public:
  // Opens or makes the file (0600). GANTRY_INVALID_ARGUMENT: it cannot be written, is no regular
  // file, or is a symbolic link; a sentence for the operator. `log` must outlive the object.
  static Result<std::unique_ptr<AuditFile>> open(AuditFileOptions options, Log& log);
  // Writes what waits, and syncs.
  ~AuditFile();
  AuditFile(const AuditFile&) = delete;
  AuditFile& operator=(const AuditFile&) = delete;

  // Takes one record without its line break.
  void add(std::string&& line) noexcept;
  // Waits until all lines taken so far are written or dropped.
  void flush();
  std::string path() const;
  // Records that were dropped since the start.
  std::uint64_t dropped() const;

 private:
  // It has more than twelve members: the options, the queue under its lock, and the counts of the
  // writer.
  struct State;
  explicit AuditFile(std::unique_ptr<State> state);
  const std::unique_ptr<State> state_;
};

}  // namespace gantry::host
