// host/observe/audit.hpp: the audit record, one for each call, run or refused.
//
// Records go to the audit file where one is configured, else to the log as lines `call`, which are
// written at every level up to `warn`. The latest records of calls that failed are kept in memory
// too, so that an operator can ask why (`gantry agent why`); the latest of all calls are there to
// be searched and followed, and their numbers over time are counted.
//
// A record holds names and counts only, never an argument's value or a part of an answer. Its true
// cause of a denial is for operators: nothing here reaches a client. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "host/observe/audit_file.hpp"
#include "host/observe/feed.hpp"
#include "host/observe/log.hpp"
#include "host/observe/series.hpp"

namespace gantry::host {

// A member that may be empty is left out of the line if it is.
struct AuditRecord {
  std::string_view tool{}, plugin{};  // as the client named it; the plugin that has it, or empty
  std::uint64_t generation = 0;
  std::string_view args_keys{};  // JSON array
  std::string_view notes{};      // of the plugins: a JSON array of objects; may be empty
  // It has more than twelve members: those of an agent.
  struct Caller {
    std::string_view name{};  // the profile
    // The principal, equal for all requests of one credential; of a sub-agent an id of its own.
    std::string_view id{};
    std::string_view parent_id{};  // of a sub-agent: that of the agent that narrowed it
    int depth = 0;                 // how often it was narrowed
    std::string_view auth_type{};
    bool master = false;  // the agent has no identity: neither a user nor roles
    std::string_view permissions{};
    std::string_view tenant{};  // a fingerprint; may be empty
    // JSON arrays of the agent's lists, and the names of filtered fields; may be empty.
    std::string_view classes_only{}, classes_except{}, tools_only{}, tools_except{};
    std::string_view methods_only{}, methods_except{}, filters{};
  } agent{};
  struct Outcome {
    bool ran = false;  // the plugin was entered
    bool success = false;
    std::string_view error_code{};    // when not a success
    std::string_view denial_kind{};   // as the client got it; may be empty
    std::string_view denial_cause{};  // the true cause, for operators alone; may be empty
    std::uint64_t bytes = 0;  // of the answer; its tokens are estimated as a quarter of them
    double duration_ms = 0;
  } outcome{};
  // The decision of a person, where the call needed one.
  struct Approval {
    std::string_view decision{};  // "accepted", "declined", "timed_out", …; empty: none was needed
    std::string_view by{};        // "client" or an operator; may be empty
    std::int64_t waited_ms = 0;
  } approval{};
  std::string_view correlation_id{};  // may be empty
};

struct AuditOptions {
  std::unique_ptr<AuditFile> file{};  // null: the log
  double usd_per_million_tokens = 0;  // 0: the records have no est_cost_usd
  std::size_t kept = 1024;            // failed calls kept in memory
  std::size_t recent = 4096;          // calls kept in memory
};

class Audit {
 public:
  // `log` must outlive the object.
  explicit Audit(Log& log, AuditOptions options = {});

  void write(const AuditRecord& record) noexcept;
  // The latest records, at most 20, of failed calls with this correlation id or audit id, as a JSON
  // array with the newest first.
  std::string find(std::string_view id) const;
  // Waits until the records are in the file.
  void flush() {
    if (file_) file_->flush();
  }
  // The latest records.
  const Feed& feed() const { return feed_; }
  Series& series() { return series_; }
  const Series& series() const { return series_; }
  // Path of the audit file; empty: none.
  std::string file_path() const { return file_ ? file_->path() : std::string(); }
  // Records that the file did not take.
  std::uint64_t dropped() const { return file_ ? file_->dropped() : 0; }

 private:
  using Packed = std::shared_ptr<const std::string>;
  void keep(Packed record);

  Log& log_;
  const std::unique_ptr<AuditFile> file_;
  const double usd_per_token_;
  const std::size_t most_kept_;
  const std::string prefix_;  // of audit ids: another one for each process
  std::atomic<std::uint64_t> serial_{0};
  Feed feed_;
  Series series_;
  mutable std::mutex mutex_;  // of failed_
  std::deque<Packed> failed_;
};

}  // namespace gantry::host
