#include "store/sqlite/pool.hpp"

#include <algorithm>

#include "store/sqlite/explain.hpp"

namespace gantry::data::sqlite {
namespace {

// How long opening waits for a locked file.
constexpr std::int64_t kOpenMs = 2000;
constexpr int kSmallerCache = 16;  // an extra connection's cache is smaller by this factor

}  // namespace

// Retired connections close last: closing an immutable connection drops the POSIX locks on the
// file, which the locking connections of this process may still need.
Pool::~Pool() {
  idle_.clear();
  retired_.clear();
}

bool Pool::current(const Connection& connection) const {
  const auto& files = connection.files();
  return files.device == files_.device && files.inode == files_.inode && files.same_mode(files_) &&
         files.seen_ns == files_.seen_ns;
}

// Whether the mode of open connections is certainly still right. While one of ours shares the -shm
// of a WAL database, the -shm stays. A database in another journal mode changes its header when it
// is put into WAL mode.
bool Pool::is_sure(const FileState& now) const {
  if (files_.is_fixed()) return true;
  return files_.wal ? vfs_->is_attached(files_.device, files_.inode) : judged_.same_content(now);
}

Status Pool::follow_files() {
  auto now = inspect_files(paths_);
  if (!now) return now.status();
  seen_ = *now;
  const bool serves = generation_ != 0 && files_.still_serves(*now);
  if (serves && is_sure(*now)) return Status::ok();
  if (auto status = prober_.judge(paths_, *vfs_, *now); !status) return status;
  judged_ = *now;
  if (serves && files_.same_mode(*now)) return Status::ok();
  files_ = *now;
  ++generation_;
  for (auto& connection : std::exchange(idle_, {})) retire(std::move(connection));
  return Status::ok();
}

// Closes a connection of an earlier generation: at once, unless that would drop locks.
void Pool::retire(std::unique_ptr<Connection> connection) {
  const auto& files = connection->files();
  const bool has_locks = !files_.immutable || vfs_->locking() > 0;
  const bool shares_locks = files.immutable && has_locks && files.inode == files_.inode;
  if (!shares_locks) return;
  connection->release_memory();
  retired_.push_back(std::move(connection));
}

Status Pool::wait_for_slot(std::unique_lock<std::mutex>& lock, const Budget& budget) {
  constexpr std::chrono::milliseconds kLook{10};  // cancellation cannot wake this thread
  const auto overdue = std::chrono::steady_clock::now() + kPatience;
  while (leased_ >= allowed_) {
    if (auto status = budget.check(); !status) return status;
    if (allowed_ < size_ + kMostExtra && std::chrono::steady_clock::now() >= overdue) {
      ++allowed_;
    } else {
      returned_.wait_for(lock, kLook);
    }
  }
  return Status::ok();
}

Result<std::unique_ptr<Connection>> Pool::take(const Budget& budget, bool spare, bool looked) {
  if (auto status = budget.check(); !status) return status;
  std::unique_lock lock(mutex_);
  const bool waits = !spare && leased_ >= allowed_;
  if (waits) {
    if (auto status = wait_for_slot(lock, budget); !status) return status;
  }
  if (!looked || waits || generation_ == 0) {
    if (auto status = follow_files(); !status) return status;
  }
  std::unique_ptr<Connection> connection;
  if (!idle_.empty()) {
    connection = std::move(idle_.back());
    idle_.pop_back();
  }
  if (!spare) ++leased_;
  if (!connection) {
    Tuning tuning = tuning_;
    if (leased_ > size_) tuning.cache_kib /= kSmallerCache;
    lock.unlock();
    auto opened = open(Role::rows, tuning, budget);
    if (!opened) {
      lock.lock();
      if (!spare) --leased_;
      returned_.notify_one();
      const bool busy = opened.status().code() == GANTRY_BUSY;
      if (auto status = budget.check(); busy && !status) return status;
      return opened.status();
    }
    connection = std::move(*opened);
  }
  connection->begin(budget);
  return connection;
}

// A connection that is being opened: it may hold locks that the VFS does not count yet.
class Pool::Opening {
 public:
  explicit Opening(Pool& pool) : pool_(pool) {
    const std::lock_guard lock(pool_.mutex_);
    ++pool_.opening_;
  }
  ~Opening() {
    const std::lock_guard lock(pool_.mutex_);
    --pool_.opening_;
  }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  Pool& pool_;
};

// Another program may open or close the database between our look and SQLite's open. Side files are
// then missing, and another look determines the new mode.
Result<std::unique_ptr<Connection>> Pool::open(Role role, const Tuning& tuning,
                                               const Budget& budget) {
  constexpr int kAttempts = 5;
  const Opening opening(*this);
  for (int attempt = 1;; ++attempt) {
    FileState files;
    {
      const std::lock_guard lock(mutex_);
      if (auto status = follow_files(); !status) return status;
      files = files_;
    }
    auto opened = Connection::open(paths_.main, files, role, tuning, budget, *vfs_);
    if (opened || attempt == kAttempts) return opened;
    const std::lock_guard lock(mutex_);
    if (auto status = follow_files(); !status) return status;
    if (files.same_mode(files_) && files.seen_ns == files_.seen_ns) return opened;
  }
}

void Pool::give_back(std::unique_ptr<Connection> connection, bool spare) {
  connection->end();
  const std::lock_guard lock(mutex_);
  if (!spare) --leased_;
  if (current(*connection)) {
    idle_.push_back(std::move(connection));
  } else {
    retire(std::move(connection));
  }
  if (leased_ < size_) close_extra();
  returned_.notify_one();
}

// A leased extra connection closes when it is returned.
void Pool::close_extra() {
  allowed_ = size_;
  const auto extra = std::stable_partition(idle_.begin(), idle_.end(), [&](const auto& connection) {
    return connection->cache_kib() == tuning_.cache_kib;
  });
  for (auto each = extra; each != idle_.end(); ++each) retire(std::move(*each));
  idle_.erase(extra, idle_.end());
}

std::size_t Pool::connections() const {
  const std::lock_guard lock(mutex_);
  return idle_.size() + leased_;
}

Result<std::unique_ptr<Connection>> Pool::open_catalog() {
  Tuning small = tuning_;
  small.cache_kib = 512;
  auto opened = open(Role::catalog, small, Budget::for_ms(kOpenMs));
  if (opened) (*opened)->end();
  return opened;
}

void Pool::dispose(std::unique_ptr<Connection> connection) {
  if (!connection) return;
  const std::lock_guard lock(mutex_);
  retire(std::move(connection));
}

void Pool::rest() {
  const std::lock_guard lock(mutex_);
  if (files_.wal && !files_.immutable) idle_.clear();
  if (opening_ == 0 && vfs_->locking() == 0) retired_.clear();
}

// The files are checked without the mutex, so that requests do not wait for each other's system
// calls. The result may be stale under the mutex: nothing is opened without a new check.
Result<FileSnapshot> Pool::look() {
  std::unique_lock lock(mutex_);
  const FileState judged = judged_;
  lock.unlock();
  const auto now = inspect_files(paths_, judged);
  lock.lock();
  const bool is_latest = now && generation_ != 0 && now->seen_ns >= seen_.seen_ns;
  if (is_latest && files_.still_serves(*now) && is_sure(*now)) {
    seen_ = *now;
  } else if (auto status = follow_files(); !status) {
    return status;
  }
  return FileSnapshot{generation_, seen_};
}

// Under the mutex: no connection whose closing would drop the writer's locks is being closed.
void Pool::hold_for_writer(std::uint64_t device, std::uint64_t inode) {
  const std::lock_guard lock(mutex_);
  vfs_->hold(device, inode);
}

void Pool::release_writer(std::uint64_t device, std::uint64_t inode) {
  const std::lock_guard lock(mutex_);
  vfs_->release(device, inode);
}

Result<std::vector<PlanStep>> Lease::explain(const Fragment& statement, const Catalog& catalog,
                                             std::string_view asked) {
  auto cursor = prepare(std::move(Fragment{"EXPLAIN QUERY PLAN ", {}}.add(statement)));
  if (!cursor) return cursor.status();
  constexpr std::size_t kDetail = 3;
  std::vector<std::string> lines;
  while ((*cursor)->next()) lines.emplace_back((*cursor)->row()[kDetail].bytes);
  if (!(*cursor)->status()) return (*cursor)->status();
  return parse_plan(lines, catalog, asked);
}

}  // namespace gantry::data::sqlite
