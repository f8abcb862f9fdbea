// store/sqlite/editor.hpp: the writing connection of a Store, for one transaction at a time.
//
// Opened at the first transaction, reopened when the file was replaced, closed by rest(). The pool
// knows of it as long as it is open, so that no reader's closing drops its locks. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "store/editor.hpp"
#include "store/sqlite/pool.hpp"
#include "store/sqlite/table_shapes.hpp"

namespace gantry::data::sqlite {

class Store;

class Editor {
 public:
  Editor(Store& store, std::shared_ptr<Pool> pool, const EditRights& rights)
      : store_(store), pool_(std::move(pool)), rights_(rights) {}
  ~Editor() { close(); }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  // As Store::begin_edit(). `inode`: of the file that the store's catalog describes.
  Outcome<EditPtr> begin(const Budget& budget, std::uint64_t inode);
  // Rolls back what a crashed program left. False: the database cannot be opened.
  bool recover();
  // Closes the connection if no transaction is open.
  void rest();
  const EditRights& rights() const { return rights_; }

 private:
  Status open(const Budget& budget);  // busy_ held, as for close()
  void close();

  Store& store_;
  const std::shared_ptr<Pool> pool_;
  const EditRights rights_;
  std::timed_mutex busy_;  // held by the open transaction
  std::unique_ptr<Connection> connection_;
  TableShapes shapes_;                    // of the connection
  std::uint64_t device_ = 0, inode_ = 0;  // of the open file
};

}  // namespace gantry::data::sqlite
