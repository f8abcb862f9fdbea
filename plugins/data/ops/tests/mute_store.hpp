// mute_store.hpp: an SQLite file as a store whose SQL can say nothing of a value, which is as
// little as a store may offer.
#pragma once

#include <string>
#include <utility>

#include "store/store.hpp"

namespace gantry::data::testing {

// Everything but the dialect is the other store's.
class MuteStore final : public Store {
 public:
  explicit MuteStore(StorePtr store) : store_(std::move(store)) {}

  Capabilities can() const override { return store_->can(); }
  const Dialect& dialect() const override { return mute_dialect(); }

  Result<CatalogPtr> catalog(const Budget& budget) override { return store_->catalog(budget); }
  Result<Now> now(const Budget& budget) override { return store_->now(budget); }
  Result<Now> recent(const Budget& budget) override { return store_->recent(budget); }
  Result<Now> glance(const Budget& budget) override { return store_->glance(budget); }
  void rest() override { store_->rest(); }
  std::uint64_t commits_seen() const override { return store_->commits_seen(); }
  Result<LeasePtr> lease(Budget budget) override { return store_->lease(budget); }
  Result<LeasePtr> lease_as_seen(Budget budget) override { return store_->lease_as_seen(budget); }
  Outcome<EditPtr> begin_edit(const Budget& budget) override { return store_->begin_edit(budget); }
  Result<StatementVerdict> judge(std::string_view sql, const ClassLookup& lookup) const override {
    return store_->judge(sql, lookup);
  }
  std::string runnable(std::string_view sql) const override { return store_->runnable(sql); }
  const std::string& name() const override { return store_->name(); }

 private:
  StorePtr store_;
};

}  // namespace gantry::data::testing
