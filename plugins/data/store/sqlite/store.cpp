#include "store/sqlite/store.hpp"

#include <algorithm>
#include <thread>

#include "store/sqlite/sampler.hpp"
#include "store/sqlite/schema_reader.hpp"

namespace gantry::data::sqlite {
namespace {

// Small classes are sampled again after commits of others, but not more often than this.
constexpr std::chrono::seconds kRenewEvery{1};

std::size_t connections_for(std::size_t wanted) {
  return wanted != 0 ? wanted : std::max(2u, std::thread::hardware_concurrency());
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const std::string& path, StoreOptions options) {
  auto pool = std::make_shared<Pool>(path, connections_for(options.connections), options.tuning);
  std::unique_ptr<Store> store(new Store(std::move(pool)));
  if (auto catalog = store->catalog(); !catalog) return catalog.status();
  return store;
}

Store::~Store() { pool_->dispose(std::move(watch_)); }

Result<Lease> Store::lease(Budget budget) {
  auto connection = pool_->take(budget);
  if (!connection) return connection.status();
  return Lease(pool_, std::move(*connection));
}

Result<CatalogPtr> Store::catalog() {
  const std::lock_guard lock(mutex_);
  auto look = pool_->look();
  if (!look) return look.status();
  const bool same_files = watch_ && look->generation == generation_;
  if (!catalog_ || !same_files || !files_.same_content(look->files)) {
    if (auto status = watch(look->generation); !status) return status;
    if (auto status = follow_commits(); !status) return status;
    files_ = look->files;
  }
  if (rows_changed_) renew();
  return catalog_;
}

Status Store::follow_commits() {
  auto version = read_number(*watch_, "data_version");
  if (!version) return version.status();
  if (catalog_ && *version == data_version_) return Status::ok();
  if (auto status = refresh(); !status) return status;
  data_version_ = *version;
  return Status::ok();
}

Status Store::watch(std::uint64_t generation) {
  if (watch_ && generation == generation_) return Status::ok();
  pool_->dispose(std::move(watch_));
  auto opened = pool_->open_catalog();
  if (!opened) return opened.status();
  watch_ = std::move(*opened);
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
  catalog_ =
      std::make_shared<const Catalog>(std::move(*classes), schema_version, make_sampler(pool_));
  renewed_ = std::chrono::steady_clock::now();
  rows_changed_ = false;
  return Status::ok();
}

}  // namespace gantry::data::sqlite
