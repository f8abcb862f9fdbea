#include "exports/shelf.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "values/hex.hpp"

namespace gantry::data {
namespace {

// 128 random bits; empty when the system's random source fails.
std::string random_id() {
  std::array<char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string id;
  append_hex({bytes.data(), bytes.size()}, id);
  return id;
}

}  // namespace

ExportStore::Draft::~Draft() {
  if (export_store_ == nullptr) return;
  const std::lock_guard lock(export_store_->mutex_);
  const auto count = export_store_->writing_.find(owner_);
  if (--count->second == 0) export_store_->writing_.erase(count);
}

Result<ExportStore::Draft> ExportStore::begin(const std::string& owner) {
  {
    const std::lock_guard lock(mutex_);
    std::size_t& writing = writing_[owner];
    if (writing == bounds_.writing) {
      return Status(GANTRY_BUSY, std::to_string(writing) +
                                     " exports are being written for you; wait for one to end");
    }
    ++writing;
  }
  Draft draft(*this, owner);
  auto file = ExportFile::create(directory_, bounds_.file);
  if (!file) return file.status();
  draft.file = std::move(*file);
  return draft;
}

Result<std::string> ExportStore::keep(Draft draft, std::string mime_type, std::string name) {
  std::string id = random_id();
  if (id.empty()) return Status::failed("the system gives no random bytes");
  const std::lock_guard lock(mutex_);
  drop_old();
  make_room(draft.owner_, draft.file->bytes());
  if (exports_.size() >= bounds_.files) {
    return Status(GANTRY_BUSY,
                  "the server keeps as many exports as it may; try again in some minutes");
  }
  exports_.emplace(id, Export{draft.owner_, std::move(mime_type), std::move(name),
                              std::move(draft.file), Clock::now() + bounds_.lifetime});
  return id;
}

void ExportStore::make_room(const std::string& owner, std::uint64_t bytes) {
  for (;;) {
    std::size_t files = 1;
    auto oldest = exports_.end();
    std::uint64_t sum = bytes;
    for (auto it = exports_.begin(); it != exports_.end(); ++it) {
      if (it->second.owner != owner) continue;
      ++files;
      sum += it->second.file->bytes();
      if (oldest == exports_.end() || it->second.until < oldest->second.until) oldest = it;
    }
    const bool fits = files <= bounds_.files_an_owner && sum <= bounds_.bytes_an_owner;
    if (fits || oldest == exports_.end()) return;
    exports_.erase(oldest);
  }
}

std::optional<ExportStore::Export> ExportStore::find(const std::string& id,
                                                     std::string_view owner) {
  const std::lock_guard lock(mutex_);
  drop_old();
  const auto found = exports_.find(id);
  if (found == exports_.end() || found->second.owner != owner) return std::nullopt;
  return found->second;
}

ExportStore::Clock::time_point ExportStore::sweep() {
  const std::lock_guard lock(mutex_);
  return drop_old();
}

ExportStore::Clock::time_point ExportStore::drop_old() {
  const auto now = Clock::now();
  std::erase_if(exports_, [now](const auto& entry) { return entry.second.until <= now; });
  auto next = now + bounds_.lifetime;
  for (const auto& [id, kept] : exports_) next = std::min(next, kept.until);
  return next;
}

}  // namespace gantry::data
