#include "store/sqlite/editor.hpp"

#include <chrono>
#include <utility>

#include "store/sqlite/edit.hpp"
#include "store/sqlite/store.hpp"

namespace gantry::data::sqlite {
namespace {

constexpr std::int64_t kRecoverMs = 30'000;

Status lock_within(std::unique_lock<std::timed_mutex>& lock, const Budget& budget) {
  constexpr std::chrono::milliseconds kLook{10};  // cancellation cannot wake this thread
  if (lock.try_lock()) return Status::ok();
  // By the system clock, as in Store::lock().
  while (!lock.try_lock_until(std::chrono::system_clock::now() + kLook)) {
    if (auto status = budget.check(); !status) return status;
  }
  return Status::ok();
}

}  // namespace

Outcome<EditPtr> Editor::begin(const Budget& budget, std::uint64_t inode) {
  std::unique_lock lock(busy_, std::defer_lock);
  if (auto status = lock_within(lock, budget); !status) return store_error(status);
  if (auto status = open(budget); !status) return store_error(status);
  connection_->begin(budget);
  return OpenEdit::begin(store_, {*connection_, shapes_, inode_ == inode}, std::move(lock));
}

bool Editor::recover() {
  const std::lock_guard lock(busy_);
  return open(Budget::for_ms(kRecoverMs)).is_ok();
}

void Editor::rest() {
  const std::unique_lock lock(busy_, std::try_to_lock);
  if (lock) close();
}

Status Editor::open(const Budget& budget) {
  const auto file = identify_file(pool_->path());
  if (!file) return file.status();
  const bool is_same = connection_ && file->device == device_ && file->inode == inode_;
  if (is_same) return Status::ok();
  close();
  device_ = file->device;
  inode_ = file->inode;
  pool_->hold_for_writer(device_, inode_);
  auto opened = Connection::open_for_edits(pool_->path(), rights_, budget);
  if (!opened) {
    pool_->release_writer(device_, inode_);
    return opened.status();
  }
  connection_ = std::move(*opened);
  shapes_ = {};
  return Status::ok();
}

void Editor::close() {
  if (!connection_) return;
  connection_.reset();
  pool_->release_writer(device_, inode_);
}

}  // namespace gantry::data::sqlite
