// view/class_view.hpp: one class as an agent sees it, and its visible fields.
//
// Made by Scope::open() (view/scope.hpp), the only door to a class. What the agent may not see is
// not in it: internal columns, fields that the rules deny, indexes that depend on them, classes
// that are hidden from it. A denied column that is the key is shown as objectId (as _id where
// another column has that name), one that has a date role under the role's name. The table's name
// stays inside; sql/select.hpp alone writes it, together with the boundary. Immutable; any thread.
// It belongs to the scope that opened it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/class_rules.hpp"
#include "catalog/field.hpp"
#include "catalog/search_index.hpp"
#include "policy/field_rules.hpp"
#include "policy/row_rules.hpp"
#include "values/fragment.hpp"
#include "view/field_form.hpp"

namespace gantry::data {

struct ClassInfo;
class Catalog;
class Rules;

// A visible field. `json` is set for every field that holds JSON.
struct FieldView : Field {
  FieldView(const Field& field, bool is_redacted, ClassFilterPtr classes);

  // A pointer to a class that the agent may not see, or that does not exist, or to a key that is
  // such a pointer. Its values are shown without their ids, and nothing that depends on an id may
  // be answered: they are neither compared, sorted nor joined.
  bool redacted = false;
  FieldForm form;
};

// What a view is made from.
struct Opening {
  const Catalog& catalog;
  const Rules& rules;
  ClassFilterPtr shown;  // all classes that the agent sees, whatever hides the others; null: all
  RowRules rows = {};    // of the class, for the read's operation
  ClassOp op = ClassOp::find;
};

// It has more than twelve members: what every statement on the class needs, found once.
class ClassView {
 public:
  ClassView(const ClassInfo& cls, const Opening& opening);

  std::string name;
  ClassType type = ClassType::custom;
  IdForm id_form = IdForm::none;  // none, too, if the key holds a redacted pointer
  std::string rowid;              // SQL name of the rowid; empty: it cannot be named
  std::vector<FieldView> fields;  // in column order; objectId is not among them unless stored
  // The columns of the id, with their shown names; empty for rowid and none. Those of composite ids
  // may be denied fields.
  std::vector<FieldView> key_fields;
  // Whether the field is a part of the key.
  bool is_key(const FieldView& field) const;
  std::vector<Index> indexes;
  std::vector<SearchIndex> searches;           // full-text indexes over visible fields, by name
  std::optional<std::int64_t> estimated_rows;  // empty: not known
  bool allow_collscan = false;                 // the operator allows full scans of this class
  bool all_sampled = false;                    // Field::may_be_json is true of all rows
  bool without_rowid = false;
  bool resolves_conflicts = false;  // may hold an ON CONFLICT clause
  // The rows' natural order could reveal an internal column (catalog/internal_columns.hpp), or a
  // part of stored JSON that no agent sees: it is that of an index.
  bool order_tells = false;
  // Of the model, as the operator wrote them: names in them may be of fields that this agent does
  // not see. Null: none.
  ClassRulesPtr model;
  std::vector<Field> stated;  // of a document class: the fields that the model describes
  // Document classes: the SQL expression of the column that holds each object. Such a class has no
  // `fields`: any field name is allowed.
  std::string document;
  // The classes that the agent sees, for pointers inside stored JSON; null: all.
  ClassFilterPtr classes;
  // True for the rows that the agent may see; empty: all.
  Fragment boundary;
  // The class's live rows, AND-ed to the caller's conditions; empty: all. It is no boundary.
  Fragment canonical;
  bool is_deterministic = true;  // false: one of the two depends on the clock
  FieldRulesPtr permitted;       // null: there are no rules about fields
  // Why no row may be read, although the class is visible.
  RowRules::Refusal refusal = RowRules::Refusal::none;
  // Rules decide which rows the agent sees: nothing may be told that other rows have a part in.
  bool has_row_rules = false;
  std::string tenant_field, tenant;  // the scope of the agent's tenant; empty: none
  // Storage columns of visible pointers that the model renamed, each with the pointer's name.
  std::map<std::string, std::string, std::less<>> storage_names;

  bool is_document() const { return !document.empty(); }
  // Any field name is allowed: `fields` are not all.
  bool is_open() const { return is_document(); }
  // The objects have ids: documents their own, rows those of a key or rowid.
  bool has_ids() const { return is_document() || id_form != IdForm::none; }
  // Hidden rows, or indexes over hidden fields, could show in failures or in the order.
  bool is_ruled() const { return order_tells || !boundary.empty(); }
  bool is_view() const { return type == ClassType::view; }
  // Exact, case-sensitive; null when there is none. "objectId" and the date roles are found only if
  // they are stored under that name.
  const FieldView* find(std::string_view field) const;
  // The date field behind "createdAt" or "updatedAt", whatever its own name; null when the class
  // has none, and for every other name.
  const FieldView* role(std::string_view role_name) const;
  // The role's field, or the field of that name.
  const FieldView* named(std::string_view field) const;
  // The field that holds the id: the key, if it is one column; else id_alias(), for the rowid and
  // for joined keys; empty: the objects have no ids, or none that can be named.
  std::string_view id_name() const;
  // The name that the id has in every class: "objectId", or "_id" if a column that is not the key
  // is called objectId. Empty: there are no ids, or other columns have both names.
  std::string_view id_alias() const;
  // Whether the name is objectId or _id, and means the id, whatever the key's own name.
  bool is_id_alias(std::string_view field) const;
  // The key that is the objectId, if it is one column or the rowid.
  std::optional<Field> key() const;
  // Whether the agent may name a root field: of an open class any that the rules permit.
  bool permits(std::string_view field) const { return !permitted || permitted->permits(field); }
  // Whether a class member of an index is visible: an index is shown only if all of its fields are.
  bool shows(const std::vector<std::string>& field_names) const;

 private:
  friend class TableName;  // sql/table_name.hpp
  void add_fields(const ClassInfo& cls, const Opening& opening);
  void add_field(const ClassInfo& cls, std::size_t at, const Opening& opening);
  void add_key(const ClassInfo& cls, const Opening& opening);
  void mark_indexed();

  std::string table_;                                   // quoted: "`main`.`my table`"
  std::optional<std::size_t> created_at_, updated_at_;  // positions in `fields`
};

}  // namespace gantry::data
