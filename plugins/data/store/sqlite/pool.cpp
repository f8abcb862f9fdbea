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
  return files.device == files_.device && files.inode == files_.inode &&
         files.immutable == files_.immutable && files.seen_ns == files_.seen_ns;
}

Status Pool::follow_files() {
  auto now = inspect_files(paths_);
  if (!now) return now.status();
  seen_ = *now;
  if (generation_ != 0 && files_.still_serves(*now)) return Status::ok();
  if (auto status = choose_mode(paths_, *now); !status) return status;
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
    const FileState files = files_;
    Tuning tuning = tuning_;
    if (leased_ > size_) tuning.cache_kib /= kSmallerCache;
    lock.unlock();
    auto opened = Connection::open(paths_.main, files, Role::rows, tuning, budget);
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

std::size_t Pool::open() const {
  const std::lock_guard lock(mutex_);
  return idle_.size() + leased_;
}

Result<std::unique_ptr<Connection>> Pool::open_catalog() {
  FileState files;
  {
    const std::lock_guard lock(mutex_);
    if (auto status = follow_files(); !status) return status;
    files = files_;
  }
  Tuning small = tuning_;
  small.cache_kib = 512;
  auto opened = Connection::open(paths_.main, files, Role::catalog, small, Budget::for_ms(kOpenMs));
  if (opened) (*opened)->end();
  return opened;
}

void Pool::dispose(std::unique_ptr<Connection> connection) {
  if (!connection) return;
  const std::lock_guard lock(mutex_);
  bury(std::move(connection));
}

// Looks before the lock is taken, for requests would wait for each other's system calls. What was
// seen may be out of date then, so nothing is opened for it without another look.
Result<Look> Pool::look() {
  const auto now = inspect_files(paths_);
  const std::lock_guard lock(mutex_);
  const bool is_latest = now && generation_ != 0 && now->seen_ns >= seen_.seen_ns;
  if (is_latest && files_.still_serves(*now)) {
    seen_ = *now;
  } else if (auto status = follow_files(); !status) {
    return status;
  }
  return Look{generation_, seen_};
}

}  // namespace gantry::data::sqlite
