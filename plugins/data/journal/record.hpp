// journal/record.hpp: one write as the journal keeps it, and its bytes. Plain data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sql/change.hpp"
#include "store/editor.hpp"

namespace gantry::data {

// What a list shows of a write. It has more than twelve members: what an operator asks of one.
struct WriteHead {
  std::string id;
  std::int64_t time_ms = 0;  // since 1970
  std::string agent, user;   // the profile, and its user, which may be empty
  std::string tool, correlation_id;
  std::string operation;             // create, update, delete, transaction, create_class, …
  std::vector<std::string> classes;  // that it changed
  std::uint64_t rows = 0;            // that it named, without those of foreign keys
  std::string reason;                // why it cannot be undone; empty: it can
  std::string undoes;                // the id of the write that it took back; may be empty
};

struct WrittenTable {
  std::string class_name;  // as agents see it; the table's, if they do not
  std::string name;        // of the database
  std::vector<std::string> columns;
};

// The values of a row's columns, as they are stored.
using StoredRow = std::vector<Bind>;

// One change of one row.
struct RowStep {
  std::size_t table = 0;  // in `tables`
  std::string object_id;
  std::vector<ColumnValue> place;
  std::optional<StoredRow> before, after;  // none: there was, or is, no row
  bool by_foreign_key = false;             // the database changed it because of the step before
};

struct Images {
  enum class Effect : std::uint8_t { on_rows, made_table, dropped_table };

  Effect effect = Effect::on_rows;
  std::vector<WrittenTable> tables;  // the one that was made or dropped is the first
  std::vector<RowStep> steps;        // in the order in which they were made
  TableText text;                    // of the table that was made or dropped
};

std::string bytes_of(const WriteHead& head);
std::string bytes_of(const Images& images);
// The memory that one row takes in the bytes, roughly.
std::size_t size_of(const StoredRow& row);

// Nothing: the bytes are of no such record.
std::optional<WriteHead> read_head(std::string_view bytes);
std::optional<Images> read_images(std::string_view bytes);

// Bit for bit: a real is not the integer of the same value.
bool is_same(const Bind& a, const Bind& b);

}  // namespace gantry::data
