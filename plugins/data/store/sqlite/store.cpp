#include "store/sqlite/store.hpp"

#include <algorithm>
#include <thread>

#include "model/lay_over.hpp"
#include "model/source.hpp"
#include "store/sqlite/caller_functions.hpp"
#include "store/sqlite/probe.hpp"
#include "store/sqlite/sampler.hpp"
#include "store/sqlite/schema_reader.hpp"

namespace gantry::data::sqlite {
namespace {

// The minimum time between two samplings of a small class after other programs' commits.
constexpr std::chrono::seconds kRenewEvery{1};

// As many as a host's concurrent calls, so that a few long statements cannot block the others. They
// are opened on demand.
std::size_t connections_for(std::size_t wanted) {
  return wanted != 0 ? wanted : std::max(4u, 2 * std::thread::hardware_concurrency());
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::string& path, StoreOptions options) {
  auto vfs = ReadVfs::make();
  if (!vfs) return vfs.status();
  auto pool =
      std::make_shared<Pool>(path, connections_for(options.connections), Tuning{}, std::move(*vfs));
  std::unique_ptr<Store> store(new Store(std::move(pool), std::move(options)));
  auto catalog = store->catalog();
  // What a crashed writer left is rolled back by the next one: here, if this store may write.
  if (!catalog && store->editor_ && store->editor_->recover()) catalog = store->catalog();
  if (!catalog) return catalog.status();
  return store;
}

// The writer closes after the readers, so that SQLite removes the -wal with it.
Store::~Store() {
  pool_->dispose(std::move(watch_));
  pool_->rest();
}

Outcome<EditPtr> Store::begin_edit(const Budget& budget) {
  if (!editor_) {
    return DataError{
        std::string(error_code::kInternalError), "the store may not write", {}, {}, {}, {}};
  }
  std::uint64_t inode = 0;
  {
    std::unique_lock held(mutex_, std::defer_lock);
    if (auto status = lock(held, budget); !status) return store_error(status);
    inode = inode_;
  }
  return editor_->begin(budget, inode);
}

Result<LeasePtr> Store::lease(Budget budget) {
  auto connection = pool_->take(budget);
  if (!connection) return connection.status();
  return LeasePtr(std::make_unique<Lease>(pool_, std::move(*connection)));
}

Result<LeasePtr> Store::lease_as_seen(Budget budget) {
  auto connection = pool_->take(budget, false, true);
  if (!connection) return connection.status();
  return LeasePtr(std::make_unique<Lease>(pool_, std::move(*connection)));
}

Result<StatementVerdict> Store::judge(std::string_view sql, const ClassLookup& lookup) const {
  return Probe(lookup).judge(sql);
}

std::string Store::runnable(std::string_view sql) const { return with_own_functions(sql); }

Result<CatalogPtr> Store::catalog(const Budget& budget) {
  auto state = now(budget);
  if (!state) return state.status();
  return std::move(state->catalog);
}

Result<Store::Now> Store::now(const Budget& budget) {
  const auto look = pool_->look();
  if (!look) return look.status();
  std::unique_lock held(mutex_, std::defer_lock);
  if (auto status = lock(held, budget); !status) return status;
  if (auto status = follow(*look, budget); !status) return status;
  if (model_ && model_->look()) {
    if (auto status = take_classes(catalog_->schema_version()); !status) return status;
  }
  if (rows_changed_) renew();
  const bool is_same = latest_.catalog == catalog_ && latest_.commits == commits_ &&
                       latest_.generation == generation_;
  const std::uint64_t models = model_ ? model_->taken() : 0;
  if (!is_same) {
    latest_ = {catalog_,    catalog_->schema_version(), commits_,
               generation_, latest_.version + 1,        models};
  }
  looked_ = std::chrono::steady_clock::now();
  return latest_;
}

Result<Store::Now> Store::recent(const Budget& budget) {
  constexpr std::chrono::seconds kRecent{1};
  {
    std::unique_lock held(mutex_, std::defer_lock);
    if (auto status = lock(held, budget); !status) return status;
    const bool is_recent = latest_.catalog && latest_.catalog == catalog_ &&
                           std::chrono::steady_clock::now() - looked_ < kRecent;
    if (is_recent && !(model_ && model_->look())) return latest_;
  }
  return now(budget);
}

Result<Store::Now> Store::glance(const Budget& budget) {
  const auto look = pool_->look();
  if (!look) return look.status();
  {
    std::unique_lock held(mutex_, std::defer_lock);
    if (auto status = lock(held, budget); !status) return status;
    const bool is_quiet = is_resting_ && latest_.catalog && look->generation == generation_ &&
                          look->files.times_tell && files_.was_quiet() &&
                          files_.same_content(look->files);
    if (is_quiet) return latest_;
  }
  return now(budget);
}

void Store::rest() {
  const std::unique_lock held(mutex_, std::try_to_lock);
  if (!held) return;
  const bool keeps_lock = watch_ && watch_->files().wal && !watch_->files().immutable;
  if (keeps_lock) {
    pool_->dispose(std::move(watch_));
    is_resting_ = true;
  }
  pool_->rest();
  if (editor_) editor_->rest();
}

// The holder of the mutex may be waiting for a locked file.
Status Store::lock(std::unique_lock<std::timed_mutex>& lock, const Budget& budget) {
  constexpr std::chrono::milliseconds kLook{10};  // cancellation cannot wake this thread
  if (lock.try_lock()) return Status::ok();
  // By the system clock: ThreadSanitizer does not intercept the wait by the steady clock.
  while (!lock.try_lock_until(std::chrono::system_clock::now() + kLook)) {
    if (auto status = budget.check(); !status) return status;
  }
  return Status::ok();
}

// Another thread may have looked since, and even reopened: then the watching connection is newer
// than `look`.
Status Store::follow(const FileSnapshot& look, const Budget& budget) {
  const std::uint64_t generation = std::max(look.generation, generation_);
  const bool same_files = watch_ && generation == generation_;
  // With a -wal in use, file times are not sufficient: a commit becomes visible through -shm after
  // the last write that changes a file's time.
  const bool times_tell = look.files.times_tell && !look.files.side_files;
  const bool is_known = catalog_ && same_files && times_tell;
  if (is_known && files_.same_content(look.files)) return Status::ok();
  if (auto status = watch(generation); !status) return status;
  watch_->begin(budget);
  const Status status = follow_commits();
  watch_->end();
  if (status && look.files.seen_ns >= files_.seen_ns) files_ = look.files;
  return status;
}

// A connection reopened after rest() cannot report commits before it was opened. The header of the
// WAL index can: if it was read before the last look and after this one and has not changed, there
// were no commits.
Status Store::follow_commits() {
  const bool is_reopened = data_version_ == -1;
  std::string index = watch_->wal_index();
  auto version = read_number(*watch_, "data_version");
  if (!version) return version.status();
  const bool is_same = is_reopened ? !wal_index_.empty() && watch_->wal_index() == wal_index_
                                   : *version == data_version_;
  const bool is_known = catalog_ && is_same;
  if (!is_known) {
    if (auto status = refresh(); !status) return status;
    ++commits_;
  }
  data_version_ = *version;
  if (!is_known || !is_reopened) wal_index_ = std::move(index);
  return Status::ok();
}

Status Store::watch(std::uint64_t generation) {
  if (watch_ && generation == generation_) return Status::ok();
  pool_->dispose(std::move(watch_));
  auto opened = pool_->open_catalog();
  if (!opened) return opened.status();
  watch_ = std::move(*opened);
  is_resting_ = false;
  generation_ = generation;
  data_version_ = -1;
  if (watch_->files().inode != inode_) catalog_ = nullptr;
  inode_ = watch_->files().inode;
  return Status::ok();
}

Status Store::refresh() {
  auto schema = read_number(*watch_, "schema_version");
  if (!schema) return schema.status();
  if (!catalog_ || catalog_->schema_version() != *schema) return rebuild(*schema);
  rows_changed_ = true;
  return Status::ok();
}

void Store::renew() {
  const auto now = std::chrono::steady_clock::now();
  if (now - renewed_ < kRenewEvery) return;
  if (catalog_->worth_renewing()) catalog_ = catalog_->renewed();
  renewed_ = now;
  rows_changed_ = false;
}

Status Store::rebuild(std::int64_t schema_version) {
  auto classes = read_classes(*watch_);
  if (!classes) return classes.status();
  classes_ = std::move(*classes);
  return take_classes(schema_version);
}

CatalogPtr Store::made_of(std::vector<ClassInfo> classes, std::int64_t schema_version) const {
  for (ClassInfo& cls : classes) {
    const bool is_named =
        std::find(built_in_.begin(), built_in_.end(), cls.name) != built_in_.end();
    if (is_named && cls.type == ClassType::custom) cls.type = ClassType::built_in;
  }
  return std::make_shared<const Catalog>(std::move(classes), schema_version, make_sampler(pool_));
}

Status Store::take_classes(std::int64_t schema_version) {
  const auto make = [&](std::vector<ClassInfo> classes) {
    return made_of(std::move(classes), schema_version);
  };
  const auto without_model = [&] { return make(model::apply_model({}, classes_).classes); };
  auto catalog = model_ ? model_->apply(classes_, make) : Result<CatalogPtr>(without_model());
  if (!catalog) return catalog.status();
  catalog_ = std::move(*catalog);
  renewed_ = std::chrono::steady_clock::now();
  rows_changed_ = false;
  return Status::ok();
}

}  // namespace gantry::data::sqlite
