// store/sqlite/edit.hpp: one open transaction on the writing connection.
#pragma once

#include <mutex>
#include <string>

#include "store/editor.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/table_shapes.hpp"
#include "store/store.hpp"

namespace gantry::data::sqlite {

// Reads over the transaction's own connection. All but leases is the outer store's.
class EditStore final : public data::Store {
 public:
  EditStore(data::Store& outer, Connection& connection) : outer_(outer), connection_(connection) {}

  Capabilities can() const override { return outer_.can(); }
  const Dialect& dialect() const override { return outer_.dialect(); }
  Result<CatalogPtr> catalog(const Budget& budget) override { return outer_.catalog(budget); }
  Result<Now> now(const Budget& budget) override { return outer_.now(budget); }
  Result<Now> recent(const Budget& budget) override { return outer_.recent(budget); }
  Result<Now> glance(const Budget& budget) override { return outer_.glance(budget); }
  void rest() override {}
  std::uint64_t commits_seen() const override { return outer_.commits_seen(); }
  Result<LeasePtr> lease(Budget budget) override;
  Result<LeasePtr> lease_as_seen(Budget budget) override { return lease(std::move(budget)); }
  Outcome<EditPtr> begin_edit(const Budget& budget) override;
  Result<StatementVerdict> judge(std::string_view sql, const ClassLookup& lookup) const override {
    return outer_.judge(sql, lookup);
  }
  std::string runnable(std::string_view sql) const override { return outer_.runnable(sql); }
  const std::string& name() const override { return outer_.name(); }

 private:
  data::Store& outer_;
  Connection& connection_;
};

class OpenEdit final : public Edit {
 public:
  // The writing connection and what is known of its tables.
  struct On {
    Connection& connection;
    TableShapes& shapes;
    bool is_of_catalog = true;  // the file is the one that the store's catalog describes
  };
  // `busy` keeps other transactions away until the end. The connection works under its budget.
  static Outcome<EditPtr> begin(data::Store& store, On on, std::unique_lock<std::timed_mutex> busy);
  ~OpenEdit() override;

  std::int64_t schema_version() const override { return schema_version_; }
  data::Store& store() override { return store_; }
  Outcome<Changed> run(const Fragment& statement) override;
  std::optional<RowRefusal> unmet_reference() override;
  std::optional<DataError> defer_references() override;
  std::optional<DataError> create_class(const NewClass& made) override;
  std::optional<DataError> drop_table(const std::string& table) override;
  Outcome<const TableShape*> shape(const std::string& table) override {
    return shapes_.shape(connection_, table);
  }
  Outcome<const std::vector<ReferringKey>*> keys_to(const std::string& table) override {
    return shapes_.keys_to(connection_, table);
  }
  Outcome<std::vector<std::string>> names_of_check(const std::string& table,
                                                   const std::string& check) override;
  Outcome<TableText> text_of_table(const std::string& table) override {
    return TableShapes::text(connection_, table);
  }
  std::optional<DataError> restore_table(const TableText& text) override;
  std::optional<DataError> commit() override;

 private:
  OpenEdit(data::Store& store, On on, std::unique_lock<std::timed_mutex> busy)
      : store_(store, on.connection),
        connection_(on.connection),
        shapes_(on.shapes),
        busy_(std::move(busy)) {}
  std::optional<DataError> run_plainly(const std::string& sql);
  // The same for a statement that many transactions run: it is compiled once.
  std::optional<DataError> run_often(std::string_view sql);
  DataError error(int code) const;
  // A table whose AUTOINCREMENT has given its last number; empty: none.
  std::string numbered_table() const;

  EditStore store_;
  Connection& connection_;
  TableShapes& shapes_;
  std::unique_lock<std::timed_mutex> busy_;
  std::int64_t schema_version_ = 0;
};

}  // namespace gantry::data::sqlite
