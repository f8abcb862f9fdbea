#include "store/sqlite/pool.hpp"

#include <algorithm>

namespace gantry::data::sqlite {
namespace {

// How long opening waits for a program that holds the file locked.
constexpr std::int64_t kOpenMs = 2000;
constexpr int kSmallerCache = 16;  // that of an extra connection is so many times smaller

}  // namespace

// The buried ones close last: closing an immutable connection drops the file's POSIX locks, which
// the locking ones of this process may still need.
Pool::~Pool() {
  idle_.clear();
  buried_.clear();
}

bool Pool::current(const Connection& connection) const {
  const auto& files = connection.files();
  return files.device == files_.device && files.inode == files_.inode && files.same_mode(files_) &&
         files.seen_ns == files_.seen_ns;
}

// Whether the mode that connections are opened in is surely still right. While some of ours share
// the -shm of a WAL database, it stays; a database that is in no WAL mode changes when it is put
// into it.
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
  for (auto& connection : std::exchange(idle_, {})) bury(std::move(connection));
  return Status::ok();
}

// Ends a connection of an earlier generation: at once, unless that would drop locks.
void Pool::bury(std::unique_ptr<Connection> connection) {
  const auto& files = connection->files();
  const bool shares_locks = files.immutable && !files_.immutable && files.inode == files_.inode;
  if (!shares_locks) return;
  connection->release_memory();
  buried_.push_back(std::move(connection));
}

Status Pool::wait_for_slot(std::unique_lock<std::mutex>& lock, const Budget& budget) {
  constexpr std::chrono::milliseconds kLook{10};  // cancellation has no way to wake us
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

// One connection that is being opened: it may hold locks that the VFS does not count yet.
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

// A program may come or leave between our look and SQLite's: then side files are not there, and
// another look finds another mode.
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
    bury(std::move(connection));
  }
  if (leased_ < size_) close_extra();
  returned_.notify_one();
}

// Leased ones that are extra close when they come back.
void Pool::close_extra() {
  allowed_ = size_;
  const auto extra = std::stable_partition(idle_.begin(), idle_.end(), [&](const auto& connection) {
    return connection->cache_kib() == tuning_.cache_kib;
  });
  for (auto each = extra; each != idle_.end(); ++each) bury(std::move(*each));
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
  bury(std::move(connection));
}

void Pool::rest() {
  const std::lock_guard lock(mutex_);
  if (files_.wal && !files_.immutable) idle_.clear();
  if (opening_ == 0 && vfs_->locking() == 0) buried_.clear();
}

// Looks before the lock is taken, for requests would wait for each other's system calls. What was
// seen may be out of date then, so nothing is opened for it without another look.
Result<Look> Pool::look() {
  const auto now = inspect_files(paths_);
  const std::lock_guard lock(mutex_);
  const bool is_latest = now && generation_ != 0 && now->seen_ns >= seen_.seen_ns;
  if (is_latest && files_.still_serves(*now) && is_sure(*now)) {
    seen_ = *now;
  } else if (auto status = follow_files(); !status) {
    return status;
  }
  return Look{generation_, seen_};
}

}  // namespace gantry::data::sqlite
