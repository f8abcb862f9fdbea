#include "store/sqlite/schema_reader.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "catalog/checked_values.hpp"
#include "catalog/column_sample.hpp"
#include "catalog/column_type.hpp"
#include "catalog/floor.hpp"
#include "catalog/identity.hpp"
#include "catalog/internal_columns.hpp"
#include "catalog/keys.hpp"
#include "catalog/own_column.hpp"
#include "catalog/read_tables.hpp"
#include "catalog/virtual_table.hpp"
#include "catalog/well_known.hpp"
#include "store/sqlite/search_reader.hpp"
#include "store/sqlite/statistics.hpp"

namespace gantry::data::sqlite {
namespace {

struct Described {
  std::string name;
  std::string type;  // table, view, virtual
  bool without_rowid = false;
  bool strict = false;
};

class SchemaReader {
 public:
  explicit SchemaReader(Connection& connection) : connection_(connection) {}
  Result<std::vector<ClassInfo>> read();

 private:
  Status each(std::string_view sql, std::vector<Bind> binds, auto&& row);
  Status read_encoding();
  Status read_texts();
  Result<std::vector<Described>> read_names();
  Result<RawClass> read_class(const Described& table);
  Status read_columns(RawClass& cls, const Described& table);
  Status read_indexes(RawClass& cls);
  Status read_foreign_keys(RawClass& cls);
  std::vector<SqlWord> words_of(const std::string& table) const;
  void settle(std::vector<RawClass>& classes);
  void hide_internal_number(RawClass& cls, const std::vector<RawClass>& classes);
  void find_rowid(RawClass& cls, const Described& table);
  bool can_read(const std::string& sql);
  void add_column(RawClass& cls, const Described& table, const std::vector<SqlWord>& words,
                  const Statement& row);
  // Its name; empty: BINARY; nothing: not known.
  std::optional<std::string> collation(const RawClass& cls, const Described& table,
                                       const std::string& column);

  Connection& connection_;
  bool utf16_ = false;
  DeclaredTables declared_;
  CreateWords indexes_, views_;
  std::unordered_set<std::string> with_indexes_;  // names in lower case
  Statistics statistics_;
};

Status SchemaReader::each(std::string_view sql, std::vector<Bind> binds, auto&& row) {
  auto statement = connection_.prepare(sql);
  if (!statement) return statement.status();
  if (auto status = statement->bind(binds); !status) return status;
  while (statement->next()) row(*statement);
  return statement->status();
}

Status SchemaReader::read_encoding() {
  return each("PRAGMA encoding", {}, [&](Statement& row) { utf16_ = row.text(0) != "UTF-8"; });
}

Status SchemaReader::read_texts() {
  return each("SELECT type, name, tbl_name, sql FROM sqlite_schema", {}, [&](Statement& row) {
    const std::string name = lower(row.text(1));
    if (row.text(0) == "index") with_indexes_.insert(lower(row.text(2)));
    if (row.text(0) == "index") indexes_.emplace(name, sql_words(row.text(3)));
    if (row.text(0) == "view") views_.emplace(name, sql_words(row.text(3)));
    if (row.text(0) == "table") declared_.texts.emplace(name, row.text(3));
  });
}

Result<std::vector<Described>> SchemaReader::read_names() {
  std::vector<Described> tables;
  auto status = each(
      "SELECT name, type, wr, strict FROM pragma_table_list"
      " WHERE schema = 'main' AND type IN ('table', 'view', 'virtual', 'shadow')"
      " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      {}, [&](Statement& row) {
        if (row.text(1) == "shadow") return void(declared_.shadows.insert(lower(row.text(0))));
        const bool is_virtual = row.text(1) == "virtual";
        if (is_virtual && !holds_rows(virtual_module(words_of(lower(row.text(0)))))) return;
        if (row.text(1) == "table") declared_.ordinary.insert(lower(row.text(0)));
        tables.push_back({std::string(row.text(0)), std::string(row.text(1)), row.integer(2) != 0,
                          row.integer(3) != 0});
      });
  if (!status) return status;
  return tables;
}

std::optional<std::string> SchemaReader::collation(const RawClass& cls, const Described& table,
                                                   const std::string& column) {
  // The collations of a view's columns are not available. Assuming a custom one is safe and only
  // makes the SQL longer.
  if (table.type == "view") return std::nullopt;
  const char* collation = nullptr;
  const int rc =
      sqlite3_table_column_metadata(connection_.raw(), "main", cls.info.name.c_str(),
                                    column.c_str(), nullptr, &collation, nullptr, nullptr, nullptr);
  if (rc != SQLITE_OK) return std::nullopt;
  return collation == nullptr || same_name(collation, "BINARY") ? "" : collation;
}

// Columns of pragma_table_xinfo: name, type, notnull, dflt_value, pk, hidden.
void SchemaReader::add_column(RawClass& cls, const Described& table,
                              const std::vector<SqlWord>& words, const Statement& row) {
  constexpr int kHidden = 1, kVirtual = 2, kStored = 3;
  const std::int64_t hidden = row.integer(5);
  if (hidden == kHidden) return;
  Field field;
  field.name = row.text(0);
  field.column = quote_name(field.name);
  field.declared = row.text(1);
  const bool key = row.integer(4) > 0;
  field.required = key || (row.integer(2) != 0 && row.is_null(3));
  field.has_default = !row.is_null(3);
  field.generated = hidden == kVirtual || hidden == kStored;
  const bool untyped = table.strict && same_name(field.declared, "ANY");
  field.numeric_affinity = !untyped && affinity_of(field.declared) == Affinity::numeric;
  field.utf16 = utf16_;
  const auto collation = this->collation(cls, table, field.name);
  field.binary_collation = !utf16_ && collation && collation->empty();
  field.collation = collation.value_or("");
  if (!words.empty()) {
    field.storage = proven_kind(words, field.name, field.declared, table.strict);
    const auto own = table.strict ? strict_column_type(words, field.name) : std::string_view();
    if (!own.empty()) field.declared = own;
  }
  cls.info.fields.push_back(std::move(field));
}

Status SchemaReader::read_columns(RawClass& cls, const Described& table) {
  std::vector<SqlWord> words;
  if (table.type == "table") words = words_of(lower(cls.info.name));
  cls.info.resolves_conflicts = std::any_of(words.begin(), words.end(), [](const SqlWord& word) {
    return same_name(word.text, "conflict");
  });
  std::vector<std::pair<std::int64_t, std::size_t>> key;
  auto status =
      each("SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)",
           {cls.info.name}, [&](Statement& row) {
             add_column(cls, table, words, row);
             if (row.integer(4) > 0) key.emplace_back(row.integer(4), cls.info.fields.size() - 1);
           });
  std::sort(key.begin(), key.end());
  for (const auto& [order, position] : key) cls.primary_key.push_back(position);
  mark_internal_fields(cls, words);
  find_allowed_values(words, cls.info.fields);
  return status;
}

Status SchemaReader::read_indexes(RawClass& cls) {
  if (!with_indexes_.count(lower(cls.info.name))) return Status::ok();
  auto& indexes = cls.info.indexes;
  return each(
      "SELECT il.name, il.\"unique\", il.partial, ix.name FROM pragma_index_list(?) il,"
      " pragma_index_xinfo(il.name) ix WHERE ix.key ORDER BY il.seq, ix.seqno",
      {cls.info.name}, [&](Statement& row) {
        if (indexes.empty() || indexes.back().name != row.text(0)) {
          indexes.push_back(
              {std::string(row.text(0)), {}, row.integer(1) != 0, row.integer(2) != 0});
          indexes.back().rows_of_value = statistics_.rows_of_value(row.text(0));
        }
        indexes.back().fields.emplace_back(row.is_null(3) ? "<expression>" : row.text(3));
      });
}

Status SchemaReader::read_foreign_keys(RawClass& cls) {
  const auto text = declared_.texts.find(lower(cls.info.name));
  if (text == declared_.texts.end() ||
      lower(text->second).find("references") == std::string::npos) {
    return Status::ok();
  }
  // SQLite numbers foreign keys from the last one declared.
  std::unordered_map<std::int64_t, std::size_t> parts;
  std::vector<std::int64_t> ids;
  auto status = each(
      "SELECT id, seq, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)"
      " ORDER BY id DESC, seq",
      {cls.info.name}, [&](Statement& row) {
        ids.push_back(row.integer(0));
        ++parts[row.integer(0)];
        cls.references.push_back({std::string(row.text(2)), std::string(row.text(3)),
                                  std::string(row.text(4)),
                                  static_cast<std::size_t>(row.integer(1))});
      });
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Reference& one = cls.references[i];
    if (parts[ids[i]] == 1) {
      cls.foreign_keys.push_back({one.field, one.target_table, one.target_field});
    }
  }
  return status;
}

bool SchemaReader::can_read(const std::string& sql) { return connection_.prepare(sql).is_ok(); }

// The first of SQLite's three names for the rowid that no column uses.
void SchemaReader::find_rowid(RawClass& cls, const Described& table) {
  if (table.type == "view" || table.without_rowid) return;
  for (const char* name : {"rowid", "_rowid_", "oid"}) {
    const bool taken =
        std::any_of(cls.info.fields.begin(), cls.info.fields.end(),
                    [name](const Field& field) { return same_name(field.name, name); });
    if (taken) continue;
    const bool works = table.type == "table" || can_read(std::string("SELECT ") + name + " FROM " +
                                                         cls.info.table + " LIMIT 0");
    if (works) cls.info.rowid = name;
    return;
  }
}

Result<RawClass> SchemaReader::read_class(const Described& table) {
  RawClass cls;
  cls.info.name = table.name;
  cls.info.table = "`main`." + quote_name(table.name);
  cls.info.type = table.type == "view"          ? ClassType::view
                  : table.name.starts_with('_') ? ClassType::built_in
                                                : ClassType::custom;
  cls.info.strict = table.strict;
  cls.info.without_rowid = table.without_rowid;
  cls.info.estimated_rows = statistics_.rows_of(table.name);
  if (auto status = read_columns(cls, table); !status) return status;
  if (auto status = read_indexes(cls); !status) return status;
  if (auto status = read_foreign_keys(cls); !status) return status;
  settle_keys(cls);
  find_rowid(cls, table);
  return cls;
}

std::vector<SqlWord> SchemaReader::words_of(const std::string& table) const {
  const auto text = declared_.texts.find(table);
  return text == declared_.texts.end() ? std::vector<SqlWord>() : sql_words(text->second);
}

const RawClass* class_named(const std::vector<RawClass>& classes, std::string_view name) {
  const auto found = std::find_if(classes.begin(), classes.end(), [name](const RawClass& cls) {
    return same_name(cls.info.name, name);
  });
  return found == classes.end() ? nullptr : &*found;
}

bool is_internal_name(const RawClass& cls, std::string_view name) {
  return std::any_of(cls.info.fields.begin(), cls.info.fields.end(), [name](const Field& field) {
    return field.internal && same_name(field.name, name);
  });
}

// The rowid of an R*Tree is its first column. The rowid of a full-text table with content is that
// of the content table, or a column that it names.
void SchemaReader::hide_internal_number(RawClass& cls, const std::vector<RawClass>& classes) {
  const auto words = words_of(lower(cls.info.name));
  const std::string module = virtual_module(words);
  if (module.empty() || cls.info.rowid.empty() || cls.info.fields.empty()) return;
  const bool is_tree = module.starts_with("rtree");
  const std::string content = virtual_option(words, "content");
  const RawClass* const of = content.empty() ? nullptr : class_named(classes, content);
  const bool is_internal =
      is_tree
          ? cls.info.fields[0].internal
          : is_internal_field(virtual_option(words, "content_rowid")) ||
                (of != nullptr && is_rowid_alias(*of) &&
                 is_internal_name(*of, of->info.fields[of->primary_key[0]].name)) ||
                (of != nullptr && is_internal_name(*of, virtual_option(words, "content_rowid")));
  if (!is_internal) return;
  cls.info.rowid.clear();
  cls.info.order_tells = true;
}

// Steps that need all classes.
void SchemaReader::settle(std::vector<RawClass>& classes) {
  mark_internal_references(classes);
  for (RawClass& cls : classes) {
    mark_internal_indexes(cls, indexes_);
    hide_internal_number(cls, classes);
    choose_id(cls);
    find_table_of_content(cls, classes, words_of(lower(cls.info.name)));
  }
  find_tables_of_views(classes, views_);
  mark_telling_orders(classes, views_);
}

// A lock on the whole file is not an error of one class.
bool concerns_all(const Status& status) {
  return status.code() == GANTRY_BUSY || status.code() == GANTRY_TIMED_OUT;
}

Result<std::vector<ClassInfo>> SchemaReader::read() {
  if (auto status = read_encoding(); !status) return status;
  if (auto status = read_texts(); !status) return status;
  auto statistics = Statistics::read(connection_, indexes_);
  if (!statistics) return statistics.status();
  statistics_ = std::move(*statistics);
  auto names = read_names();
  if (!names) return names.status();
  std::vector<RawClass> classes;
  for (const auto& name : *names) {
    auto cls = read_class(name);
    if (!cls && concerns_all(cls.status())) return cls.status();
    if (cls) classes.push_back(std::move(*cls));
  }
  settle(classes);
  if (auto status = read_searches(connection_, declared_, classes); !status) return status;
  resolve_pointers(classes);
  std::vector<ClassInfo> result;
  for (auto& cls : classes) {
    for (auto& field : cls.info.fields) ColumnSample().refine(field);
    find_timestamps(cls.info);
    result.push_back(std::move(cls.info));
  }
  return result;
}

}  // namespace

Result<std::vector<ClassInfo>> read_classes(Connection& connection) {
  return SchemaReader(connection).read();
}

Result<std::int64_t> read_number(Connection& connection, std::string_view pragma) {
  auto statement = connection.prepare(std::string("PRAGMA ") + std::string(pragma));
  if (!statement) return statement.status();
  if (statement->next()) return statement->integer(0);
  if (!statement->status()) return statement->status();
  return Status::failed("The database does not answer PRAGMA " + std::string(pragma) + ".");
}

}  // namespace gantry::data::sqlite
