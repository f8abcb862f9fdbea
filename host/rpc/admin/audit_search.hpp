// host/rpc/admin/audit_search.hpp: audit.search: the records of the feed or of the audit file, and
// waiting for new ones.
//
// Searches run on one thread of its own, "gantry-search", so that no transport waits for a disk.
// Waiting searches are asked again when there are new records. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "host/base/timer.hpp"
#include "host/observe/audit.hpp"
#include "host/observe/record_filter.hpp"
#include "host/rpc/admin/method.hpp"

namespace gantry::host::rpc {

class AuditSearch {
 public:
  // Searches that may wait at once; a further one is answered without waiting.
  static constexpr std::size_t kMostWaiting = 64;

  // `audit` must outlive this.
  explicit AuditSearch(Audit& audit);
  // Answers all that wait.
  ~AuditSearch();
  AuditSearch(const AuditSearch&) = delete;
  AuditSearch& operator=(const AuditSearch&) = delete;

  // The method audit.search; this must outlive it.
  AdminMethods methods();
  // Answers all that wait, and later ones without waiting.
  void stop();

 private:
  using Instant = std::chrono::steady_clock::time_point;
  struct Question {
    RecordFilter filter;
    std::size_t limit = 0;
    Instant until{};  // to wait for a record
    // The record that was looked at last; nothing: the newest records are asked for. Used by the
    // thread of searches alone.
    std::optional<std::uint64_t> seen;
    AdminMethod::Done done;   // with the mutex
    Timer::Id last_look = 0;  // the same
  };

  AdminMethod::Cancel start(const AdminParams& params, AdminMethod::Done done);
  void note_record();
  void look(std::uint64_t id);
  void look_for_all();
  void answer(std::uint64_t id, AdminAnswer&& answer);
  AdminAnswer search(Question& question, bool last) const;
  AdminAnswer newest(const Question& question) const;

  Audit& audit_;
  std::mutex mutex_;  // of the members below
  bool stopped_ = false;
  std::atomic<bool> looks_{false};  // look_for_all() will be called
  std::uint64_t ids_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Question>> open_;
  Timer timer_{"gantry-search"};  // last: it uses the others
};

}  // namespace gantry::host::rpc
