#include "store/sqlite/search_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "catalog/column_type.hpp"

namespace gantry::data::sqlite {
namespace {

class SearchReader {
 public:
  SearchReader(Connection& connection, const DeclaredTables& tables, std::vector<RawClass>& classes)
      : connection_(connection), tables_(tables), classes_(classes) {}

  Status run() {
    std::unordered_set<std::string> indexes;
    for (RawClass& cls : classes_) {
      if (read(cls)) indexes.insert(cls.info.name);
      if (!status_) return status_;
    }
    std::erase_if(classes_, [&](const RawClass& cls) { return indexes.count(cls.info.name) > 0; });
    return Status::ok();
  }

 private:
  // Whether the table is an index of another table, and therefore not a class.
  bool read(RawClass& fts) {
    const std::string name = lower(fts.info.name);
    const auto text = tables_.texts.find(name);
    if (text == tables_.texts.end() || tables_.ordinary.count(name) > 0) return false;
    const auto declared = parse_fts5(text->second);
    if (!declared || (declared->content && declared->content->empty())) return false;
    RawClass* const cls = declared->content ? indexed_class(*declared->content) : &fts;
    if (cls == nullptr || !has_columns(fts, *declared)) return false;
    if (!has_shadows(name, cls == &fts)) return false;
    auto index = index_of(fts, *declared, *cls);
    if (!index || !is_fts5(fts.info.name)) return false;
    describe_tokenizer(*declared, *index);
    cls->info.searches.push_back(std::move(*index));
    return cls != &fts;
  }

  RawClass* indexed_class(const std::string& name) {
    if (tables_.ordinary.count(lower(name)) == 0) return nullptr;
    const auto found = std::find_if(classes_.begin(), classes_.end(), [&](const RawClass& cls) {
      return same_name(cls.info.name, name);
    });
    return found == classes_.end() || found->info.without_rowid ? nullptr : &*found;
  }

  static bool has_columns(const RawClass& fts, const Fts5Table& declared) {
    return std::equal(declared.columns.begin(), declared.columns.end(), fts.info.fields.begin(),
                      fts.info.fields.end(), [](const auto& column, const Field& field) {
                        return same_name(column.name, field.name);
                      });
  }

  // FTS5 stores rows of its own in name_content.
  bool has_shadows(const std::string& name, bool has_rows) const {
    constexpr std::array<std::string_view, 3> kAlways = {"_data", "_idx", "_config"};
    return tables_.shadows.count(name + "_content") == (has_rows ? 1 : 0) &&
           std::all_of(kAlways.begin(), kAlways.end(), [&](std::string_view end) {
             return tables_.shadows.count(name + std::string(end)) > 0;
           });
  }

  // An FTS5 table has two hidden columns: the table's own name and rank.
  bool is_fts5(const std::string& name) {
    auto hidden = connection_.prepare(
        "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden = 1 AND name IN (?, 'rank')");
    if (!hidden) return status_ = hidden.status(), false;
    if (status_ = hidden->bind({name, name}); !status_) return false;
    const bool is_so = hidden->next() && hidden->integer(0) == 2;
    status_ = hidden->status();
    return is_so && status_.is_ok();
  }

  static std::optional<SearchIndex> index_of(const RawClass& fts, const Fts5Table& declared,
                                             const RawClass& cls) {
    SearchIndex index;
    index.name = fts.info.name;
    index.table = fts.info.table;
    index.column = quote_name(fts.info.name);
    index.key = key_of(cls, declared.content ? declared.content_rowid : "rowid");
    if (index.key.empty()) return std::nullopt;
    for (const auto& column : declared.columns) {
      const Field* const field = field_of(cls, column.name);
      if (field == nullptr) return std::nullopt;
      if (column.is_indexed) index.fields.push_back(field->name);
    }
    return index;
  }

  static const Field* field_of(const RawClass& cls, const std::string& name) {
    const auto& fields = cls.info.fields;
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) {
      return same_name(field.name, name);
    });
    return found == fields.end() ? nullptr : &*found;
  }

  // A column with one of the rowid's names hides that name.
  static std::string key_of(const RawClass& cls, const std::string& name) {
    if (const Field* const field = field_of(cls, name)) {
      const bool is_key = is_rowid_alias(cls) && &cls.info.fields[cls.primary_key[0]] == field;
      return is_key ? field->column : "";
    }
    const bool is_rowid =
        same_name(name, "rowid") || same_name(name, "_rowid_") || same_name(name, "oid");
    return is_rowid ? cls.info.rowid : "";
  }

  Connection& connection_;
  const DeclaredTables& tables_;
  std::vector<RawClass>& classes_;
  Status status_ = Status::ok();
};

}  // namespace

Status read_searches(Connection& connection, const DeclaredTables& tables,
                     std::vector<RawClass>& classes) {
  return SearchReader(connection, tables, classes).run();
}

}  // namespace gantry::data::sqlite
