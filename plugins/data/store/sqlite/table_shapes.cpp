#include "store/sqlite/table_shapes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/column_type.hpp"

namespace gantry::data::sqlite {
namespace {

Status each(Connection& connection, std::string_view sql, std::vector<Bind> binds, auto&& row) {
  auto statement = connection.prepare(sql);
  if (!statement) return statement.status();
  if (Status status = statement->bind(binds); !status) return status;
  while (statement->step()) row(*statement);
  return statement->status();
}

// Places of the key, by their order in it.
using Key = std::vector<std::pair<std::int64_t, std::string>>;

// The first name of the rowid that no column takes.
std::string rowid_name(const std::vector<std::string>& taken) {
  for (const char* name : {"rowid", "_rowid_", "oid"}) {
    const bool is_free = std::none_of(taken.begin(), taken.end(), [name](const std::string& one) {
      return same_name(one, name);
    });
    if (is_free) return name;
  }
  return {};
}

Result<TableShape> read_shape(Connection& connection, const std::string& table) {
  TableShape shape;
  std::vector<std::string> all;
  Key key;
  bool has_rowid = true;
  Status status = each(connection, "SELECT name, pk, hidden FROM pragma_table_xinfo(?)", {table},
                       [&](Statement& row) {
                         all.emplace_back(row.text(0));
                         if (row.integer(1) > 0) key.emplace_back(row.integer(1), row.text(0));
                         if (row.integer(2) == 0) shape.columns.emplace_back(row.text(0));
                       });
  if (status) {
    status = each(connection, "SELECT name, wr FROM pragma_table_list(?) WHERE schema = 'main'",
                  {table}, [&](Statement& row) {
                    shape.name = row.text(0);
                    has_rowid = row.integer(1) == 0;
                  });
  }
  if (!status) return status;
  if (shape.columns.empty()) return Status::failed("The table '" + table + "' is gone.");
  std::sort(key.begin(), key.end());
  if (has_rowid) {
    if (std::string rowid = rowid_name(all); !rowid.empty()) {
      shape.place.push_back(std::move(rowid));
      return shape;
    }
  }
  for (const auto& [order, name] : key) shape.place.push_back(quote_name(name));
  return shape;
}

ReferringKey::Action action_named(std::string_view name) {
  if (name == "CASCADE") return ReferringKey::Action::cascade;
  if (name == "SET NULL") return ReferringKey::Action::set_null;
  if (name == "SET DEFAULT") return ReferringKey::Action::set_default;
  return ReferringKey::Action::none;
}

// An AUTOINCREMENT counts on where it was, a virtual table has data of its own, and a trigger or a
// view is no part of what a table's text makes.
std::string flaw_of(std::string_view type, std::string_view text) {
  if (type != "table" && type != "index") return "the class has a " + std::string(type);
  std::string lower_text = lower(text);
  if (lower_text.starts_with("create virtual")) return "the class is a virtual table";
  if (type == "table" && lower_text.find("autoincrement") != std::string::npos) {
    return "the class numbers its rows by AUTOINCREMENT";
  }
  return {};
}

}  // namespace

void TableShapes::expect(std::int64_t schema_version) {
  if (version_ == schema_version) return;
  version_ = schema_version;
  shapes_.clear();
  keys_.reset();
}

Outcome<const TableShape*> TableShapes::shape(Connection& connection, const std::string& table) {
  const std::string name = lower(table);
  const auto known = shapes_.find(name);
  if (known != shapes_.end()) return &known->second;
  auto read = read_shape(connection, table);
  if (!read) return store_error(read.status());
  return &shapes_.emplace(name, std::move(*read)).first->second;
}

Outcome<const std::vector<ReferringKey>*> TableShapes::keys_to(Connection& connection,
                                                               const std::string& table) {
  static const std::vector<ReferringKey> kNone;
  if (!keys_) {
    if (Status status = read_keys(connection); !status) return store_error(status);
  }
  const auto found = keys_->find(lower(table));
  return found == keys_->end() ? &kNone : &found->second;
}

// A foreign key without columns of its target refers to the target's primary key.
Status TableShapes::read_keys(Connection& connection) {
  std::map<std::string, std::vector<ReferringKey>> keys;
  std::string last;
  const Status status =
      each(connection,
           "SELECT m.name, f.id, f.\"table\", f.\"from\", ifnull(f.\"to\", (SELECT p.name"
           " FROM pragma_table_info(f.\"table\") p WHERE p.pk = f.seq + 1)),"
           " f.on_delete, f.on_update, EXISTS (SELECT 1 FROM pragma_table_xinfo(f.\"table\") t"
           " WHERE CASE WHEN f.\"to\" IS NULL THEN t.pk = f.seq + 1"
           " ELSE t.name = f.\"to\" COLLATE NOCASE END) FROM pragma_table_list m, "
           "pragma_foreign_key_list(m.name) f"
           " WHERE m.schema = 'main' AND m.type = 'table' ORDER BY m.name, f.id, f.seq",
           {}, [&](Statement& row) {
             auto& list = keys[lower(row.text(2))];
             const std::string id = std::string(row.text(0)) + '\0' + std::string(row.text(1));
             if (std::exchange(last, id) != id) {
               list.push_back({std::string(row.text(0)),
                               {},
                               {},
                               action_named(row.text(5)),
                               action_named(row.text(6))});
             }
             list.back().columns.emplace_back(row.text(3));
             list.back().targets.emplace_back(row.text(4));
             if (row.integer(7) == 0) list.back().has_targets = false;
           });
  if (status) keys_ = std::move(keys);
  return status;
}

Outcome<TableText> TableShapes::text(Connection& connection, const std::string& table) {
  TableText text;
  const Status status = each(
      connection,
      "SELECT type, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL"
      " ORDER BY rowid",
      {table}, [&](Statement& row) {
        const std::string flaw = flaw_of(row.text(0), row.text(1));
        if (text.flaw.empty()) text.flaw = flaw;
        if (flaw.empty()) text.statements.emplace_back(row.text(1));
      });
  if (!status) return store_error(status);
  return text;
}

}  // namespace gantry::data::sqlite
