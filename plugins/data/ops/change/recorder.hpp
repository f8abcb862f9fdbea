// ops/change/recorder.hpp: the rows that one transaction changes, before and after, for the journal
// of writes.
//
// It reads all columns, and the rows that foreign keys with ON DELETE or ON UPDATE actions change
// too. What triggers change in other rows is not recorded. Without a journal its functions do
// nothing. Throws QueryError. One thread; request and edit outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "journal/record.hpp"
#include "ops/change/chain.hpp"
#include "ops/request.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// It has more than twenty methods: one for each kind of change, and the steps that read the rows
// behind it.
class Recorder {
 public:
  // Settles pending records first. `is_dry_run`: nothing is recorded.
  Recorder(const Request& request, Edit& edit, bool is_dry_run = false);

  bool is_on() const { return journal_ != nullptr; }

  // The row that is created; it may be created already.
  void creates(const ClassView& whole, std::string_view id, const std::vector<ColumnValue>& place);
  // The row that is going to be changed (`columns`: those that get a value, as SQL) or removed.
  void changes(const ClassView& whole, std::string_view id, const std::vector<ColumnValue>& place,
               const std::vector<ColumnValue>& values);
  void removes(const ClassView& whole, std::string_view id, const std::vector<ColumnValue>& place);
  // The same for a row of any table.
  struct Row {
    const WrittenTable& table;
    std::string_view id;
    const std::vector<ColumnValue>& place;
  };
  enum class Kind { created, changed, removed };
  void add(const Row& row, Kind kind, const std::vector<ColumnValue>& values = {});

  // A class that is made, or that is going to be dropped with all of its rows.
  void makes_table(const WrittenTable& table);
  void drops_table(const WrittenTable& table, std::size_t rows);

  // The class's table, with the columns that it stores.
  WrittenTable table_of_class(const ClassView& whole);

  // Before the commit, after the last change. `undoes`: the write that is taken back. Returns the
  // id of the record; empty without a journal.
  std::string append(std::string_view undoes = {});
  // After the commit.
  void settle();

  const Images& images() const { return images_; }

 private:
  std::size_t table_number(const WrittenTable& table);
  // The steps of the rows that foreign keys change.
  void follow(Chain& chain);
  // All rows of the table, which is going to be dropped.
  void add_dropped(const TableShape& shape);
  void each_row(const TableShape& of, const Fragment& condition,
                const std::function<void(RowStep step)>& take);
  void take_text(const std::string& table);
  void push(RowStep step);
  void give_up_images(std::string reason);
  void read_after();
  WriteHead head(std::string_view undoes) const;

  const Request& request_;
  Edit& edit_;
  Journal* journal_ = nullptr;
  LeasePtr lease_;
  Images images_;
  std::size_t bytes_ = 0, rows_ = 0;
  std::string reason_;  // why it cannot be undone; empty: it can
  std::string id_;
};

}  // namespace gantry::data
