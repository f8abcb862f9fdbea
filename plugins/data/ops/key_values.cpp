#include "ops/key_values.hpp"

#include "rows/object_id.hpp"

namespace gantry::data {
namespace {

// A column, and the conversion of requested values to its stored form.
struct Key {
  std::string column;
  const Field* field = nullptr;  // null: the rowid
  enum class Form { plain, id, pointer } form = Form::plain;
};

std::optional<Key> key_of_id(const ClassInfo& cls) {
  if (cls.id_form == IdForm::rowid) return Key{cls.rowid, nullptr, Key::Form::id};
  if (cls.id_form != IdForm::column) return std::nullopt;
  const Field& field = cls.fields[cls.id_fields.front()];
  return Key{field.column, &field, Key::Form::id};
}

std::optional<Key> key_at(const ClassInfo& cls, const Scope& scope, std::string_view path) {
  const bool is_alias = path == "_id" && scope.find_field(cls, path) == nullptr;
  if (path == "objectId" || is_alias) {
    if (cls.id_form != IdForm::none) return key_of_id(cls);
  }
  if (cls.role(path) != nullptr) return std::nullopt;
  constexpr std::string_view kBelow = ".objectId";
  const bool is_below = path.ends_with(kBelow);
  if (is_below) path.remove_suffix(kBelow.size());
  if (path.find('.') != std::string_view::npos) return std::nullopt;  // a path, not a column's name
  const Field* const field = scope.find_field(cls, path);
  if (field == nullptr || (field->kind == Kind::pointer) != is_below) return std::nullopt;
  if (field->json || field->kind == Kind::object || field->kind == Kind::array) {
    return std::nullopt;
  }
  if (is_below) {
    if (scope.redacts(*field)) return std::nullopt;
    return Key{field->column, field, Key::Form::pointer};
  }
  if (field->kind == Kind::date || field->kind == Kind::boolean) return std::nullopt;
  return Key{field->column, field, Key::Form::plain};
}

void add_text(std::string_view text, std::vector<Bind>& binds) {
  binds.emplace_back(std::string(text));
}

void add_id(const Key& key, const Value& value, std::vector<Bind>& binds) {
  if (!value.is_string()) return;  // ids are strings: other values match nothing
  if (key.field != nullptr) {
    for (Bind& bind : id_values(*key.field, value.text())) binds.push_back(std::move(bind));
    return;
  }
  ClassInfo rowid;
  rowid.id_form = IdForm::rowid;
  const auto parts = parse_object_id(rowid, value.text());
  if (!parts) return;
  for (const Bind& bind : parts->front().any_of) binds.push_back(bind);
}

void add_plain(const Value& value, std::vector<Bind>& binds) {
  if (value.is_integral()) binds.emplace_back(value.integer());
  if (value.is_real()) binds.emplace_back(value.real());
  if (value.is_string()) add_text(value.text(), binds);
  if (value.is_bytes()) {
    add_text(value.text(), binds);  // matches text that is not UTF-8 too
    binds.emplace_back(Bytes{std::string(value.text())});
  }
}

// Padded to a power of two: few different SQL texts, which the statement cache can reuse.
void add_list(const std::vector<Bind>& binds, Fragment& out) {
  std::size_t size = 1;
  while (size < binds.size()) size *= 2;
  out.add(" IN (");
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out.add(",");
    out.bind(binds[std::min(i, binds.size() - 1)]);
  }
  out.add(")");
}

}  // namespace

std::optional<Fragment> index_lookup_condition(const ClassInfo& cls, const Scope& scope,
                                               std::string_view path, const Array& values) {
  if (!cls.document.empty()) return std::nullopt;  // there are no columns
  const auto key = key_at(cls, scope, path);
  if (!key) return std::nullopt;
  std::vector<Bind> binds;
  bool has_nothing = false;
  for (const Value& value : values) {
    if (value.is_nullish()) has_nothing = true;
    if (key->form == Key::Form::plain) {
      add_plain(value, binds);
    } else {
      add_id(*key, value, binds);
    }
  }
  Fragment condition;
  condition.add("(");
  if (has_nothing) condition.add(key->column).add(" IS NULL");
  if (!binds.empty()) {
    if (has_nothing) condition.add(" OR ");
    add_list(binds, condition.add(key->column));
  }
  if (!has_nothing && binds.empty()) condition.add("0");
  condition.add(")");
  return condition;
}

}  // namespace gantry::data
