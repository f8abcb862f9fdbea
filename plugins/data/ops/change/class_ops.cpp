#include "ops/change/class_ops.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <rapidjson/document.h>

#include "catalog/column_type.hpp"
#include "catalog/floor.hpp"
#include "errors/query_error.hpp"
#include "ops/change/class_version.hpp"
#include "ops/change/refusals.hpp"
#include "ops/change/transaction.hpp"
#include "ops/change/versions.hpp"
#include "sql/change.hpp"
#include "sql/select.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"
#include "write/names.hpp"

namespace gantry::data {
namespace {

using JsonValue = rapidjson::Value;

constexpr std::size_t kMostClassFields = 200;

// One answer for a class that exists, one that the caller does not see, and a reserved name.
[[noreturn]] void refuse_name(std::string_view name) {
  DataError error = invalid_argument("The class name '" + clipped(name) +
                                     "' is taken or reserved. Choose another one.");
  error.details_json =
      R"({"kind":"name_taken","class_name":)" + quoted_json(clipped(name, 256)) + "}";
  throw QueryError(std::move(error));
}

Kind kind_named(std::string_view type, const std::string& field) {
  constexpr std::array kKinds{Kind::string, Kind::integer, Kind::number, Kind::boolean, Kind::date,
                              Kind::object, Kind::array,   Kind::bytes,  Kind::pointer, Kind::any};
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [type](Kind kind) { return kind_name(kind) == type; });
  if (found != kKinds.end()) return *found;
  std::string names;
  for (const Kind kind : kKinds) names.append(names.empty() ? "" : ", ").append(kind_name(kind));
  refuse_argument("Field '" + field + "': there is no type '" + clipped(type) +
                  "'. Types: " + names);
}

class NewClassReader {
 public:
  explicit NewClassReader(const Request& request)
      : request_(request), engine_(request.scope.engine()) {}

  NewClass read() {
    made_.name = required_string(request_, "class_name");
    check_class_name();
    made_.is_document = optional_flag(request_, "document", false);
    const JsonValue* const fields = optional_object(request_, "fields");
    if (made_.is_document) {
      if (fields != nullptr && !fields->ObjectEmpty()) {
        refuse_argument("A document class takes any fields: leave 'fields' out, or 'document'");
      }
      made_.fields.push_back({"doc", Kind::string});
      return std::move(made_);
    }
    if (fields == nullptr || fields->ObjectEmpty())
      refuse_argument("'fields' must name at least one field");
    if (fields->MemberCount() > kMostClassFields)
      refuse_argument("'fields' has more than 200 fields");
    add_own();
    for (const auto& [name, type] : fields->GetObject()) add(std::string(text_of(name)), type);
    return std::move(made_);
  }

 private:
  void check_class_name() const {
    // Whether a class exists that the agent may not see must make no difference.
    const bool is_listed = request_.scope.rules().lists_class(made_.name);
    if (is_hidden_class(made_.name) || !is_listed) refuse_name(made_.name);
    if (const Status fine = write::check_name("class", made_.name); !fine) {
      refuse_argument("'class_name': " + fine.message());
    }
    for (const ClassView* known : engine_.classes()) {
      if (same_name(known->name, made_.name) || same_name(table_of(*known), made_.name)) {
        refuse_name(made_.name);
      }
    }
  }

  void add_own() {
    made_.id_field = kObjectId;
    made_.fields.push_back({std::string(kObjectId), Kind::string});
    for (const std::string_view role : kDateRoles) {
      made_.fields.push_back({std::string(role), Kind::date});
    }
  }

  void add(const std::string& name, const JsonValue& given) {
    if (const Status fine = write::check_name("field", name); !fine)
      refuse_argument(fine.message());
    const bool is_taken =
        is_internal_field(name) || same_name(name, "_id") ||
        std::any_of(made_.fields.begin(), made_.fields.end(),
                    [&](const NewField& one) { return same_name(one.name, name); });
    if (is_taken) refuse_argument("The field name '" + clipped(name) + "' is taken or reserved.");
    made_.fields.push_back(given.IsString() ? field_of(name, text_of(given), {})
                                            : described(name, given));
  }

  NewField described(const std::string& name, const JsonValue& given) {
    if (!given.IsObject()) refuse_argument("Field '" + name + "' must be a type or {type, …}");
    std::string_view type, target;
    bool is_required = false;
    for (const auto& [key, value] : given.GetObject()) {
      const std::string_view what = text_of(key);
      if (what == "type" && value.IsString()) {
        type = text_of(value);
      } else if (what == "target_class" && value.IsString()) {
        target = text_of(value);
      } else if (what == "required" && value.IsBool()) {
        is_required = value.GetBool();
      } else {
        refuse_argument("Field '" + name + "' takes {type, target_class?, required?}, not '" +
                        clipped(what) + "' like this");
      }
    }
    NewField field = field_of(name, type, target);
    field.is_required = is_required;
    return field;
  }

  NewField field_of(const std::string& name, std::string_view type, std::string_view target) {
    NewField field{name, kind_named(type, name)};
    if (field.kind != Kind::pointer) {
      if (!target.empty())
        refuse_argument("Field '" + name + "': only a Pointer has a target_class");
      return field;
    }
    if (target.empty()) refuse_argument("Field '" + name + "': a Pointer needs its target_class");
    point_to(target, field);
    return field;
  }

  void point_to(std::string_view target, NewField& field) const {
    if (target == made_.name) {
      field.kind = Kind::string;
      field.target_class = made_.name;
      field.target_field = kObjectId;
      return;
    }
    (void)named_class(request_.scope, target);
    const ClassView* const cls = engine_.open(target);
    if (cls == nullptr || cls->id_form != IdForm::column) {
      refuse_argument("Field '" + field.name + "': objects of '" + clipped(target) +
                      "' have no id of one column, so nothing can point to them");
    }
    const FieldView& key = cls->key_fields.front();
    field.kind =
        key.storage == Kind::integer || key.kind == Kind::integer ? Kind::integer : Kind::string;
    field.target_class = table_of(*cls);
    field.target_field = key.name;
  }

  const Request& request_;
  const Scope engine_;
  NewClass made_;
};

std::string fields_json(const NewClass& made) {
  std::string list = "[";
  for (const NewField& field : made.fields) {
    if (list.size() > 1) list += ',';
    list += quoted_json(made.is_document ? "_id" : field.name);
  }
  return list + "]";
}

std::vector<std::string> column_names(const NewClass& made) {
  std::vector<std::string> columns;
  for (const NewField& field : made.fields) columns.push_back(field.name);
  return columns;
}

void check_expected(const Request& request, const std::string& class_name, const Versions& now) {
  const std::string_view expect = optional_string(request, "expect");
  if (expect.empty()) return;
  if (read_versions(expect).text() != now.text()) {
    throw QueryError(changed_since(class_name, {}));
  }
}

// A view, an index or a trigger of this name is no class.
[[noreturn]] void refuse_made(const DataError& error, const std::string& name) {
  if (error.message.find("already") != std::string::npos) refuse_name(name);
  throw QueryError(error);
}

// Pointers of the model, which need not be foreign keys.
bool has_pointers(const Scope& engine, const ClassView& target) {
  const auto classes = engine.classes();
  return std::any_of(classes.begin(), classes.end(), [&](const ClassView* cls) {
    return cls->name != target.name &&
           std::any_of(cls->fields.begin(), cls->fields.end(),
                       [&](const FieldView& field) { return field.target_class == target.name; });
  });
}

// Foreign keys of other tables, also of those that are no classes: to any columns of the target.
bool has_references(Edit& edit, const ClassView& target) {
  const auto keys = edit.keys_to(table_of(target));
  if (!keys) throw QueryError(keys.error());
  return std::any_of((*keys)->begin(), (*keys)->end(), [&](const ReferringKey& key) {
    return !same_name(key.table, table_of(target));
  });
}

// The class as the engine sees it, if the agent sees all of it: it must delete nothing unseen.
const ClassView& whole_class(const Scope& engine, const ClassView& shown) {
  const ClassView* const whole = engine.open(shown.name);
  if (whole == nullptr || whole->is_view()) {
    throw QueryError(unwritable_class(shown, "it is a view or one of the database's."));
  }
  if (shown.has_row_rules || shown.permitted) {
    throw QueryError(unwritable_class(shown, "this agent does not see all of the class."));
  }
  return *whole;
}

std::int64_t rows_of(const Request& request, Edit& edit, const ClassView& whole) {
  const LeasePtr lease = lease_of(edit, request);
  const CursorPtr rows = prepared(*lease, count_rows(whole, {}));
  const std::int64_t count = rows->step() ? rows->row()[0].integer : 0;
  check_end(*rows);
  return count;
}

}  // namespace

Reply create_class(const Request& request, WriteTier tier) {
  check_tier(tier, WriteTier::admin);
  const bool is_dry_run = optional_flag(request, "dry_run", false);
  const NewClass made = NewClassReader(request).read();
  const std::string fields = fields_json(made);
  const std::string after =
      R"({"class_name":)" + quoted_json(made.name) + R"(,"fields":)" + fields + "}";
  const Versions versions{{{"", version_of(after)}}, {}};
  check_expected(request, made.name, versions);
  const EditPtr edit = begin_edit(request);
  Recorder recorder(request, *edit, is_dry_run);
  if (const auto error = edit->create_class(made)) refuse_made(*error, made.name);
  if (is_dry_run) return {{}, preview_json(0, "null", after, versions)};
  recorder.makes_table({made.name, made.name, column_names(made)});
  commit(*edit, recorder);
  return {
      {},
      R"({"class_name":)" + quoted_json(made.name) + R"(,"fields":)" + fields + R"(,"rows":0})"};
}

Reply delete_class(const Request& request, WriteTier tier) {
  check_tier(tier, WriteTier::admin);
  const bool is_dry_run = optional_flag(request, "dry_run", false);
  const ClassView& shown =
      open_class(request.scope.for_op(ClassOp::remove), required_string(request, "class_name"));
  const Scope& engine = request.scope.engine();
  const ClassView& whole = whole_class(engine, shown);
  const EditPtr edit = begin_edit(request);
  if (has_pointers(engine, whole) || has_references(*edit, whole)) {
    throw QueryError(
        unwritable_class(shown, "other classes refer to the class. Delete those first."));
  }
  Recorder recorder(request, *edit, is_dry_run);
  const std::int64_t rows = rows_of(request, *edit, whole);
  const std::string before =
      R"({"class_name":)" + quoted_json(shown.name) + R"(,"rows":)" + std::to_string(rows) + "}";
  Versions versions;
  if (is_dry_run || !optional_string(request, "expect").empty()) {
    versions.rows = {{class_version(request, *edit, shown, whole), ""}};
    check_expected(request, shown.name, versions);
  }
  if (recorder.is_on()) {
    recorder.drops_table(recorder.table_of_class(whole), static_cast<std::size_t>(rows));
  }
  if (auto error = edit->drop_table(main_table(table_of(whole))))
    throw QueryError(*std::move(error));
  if (is_dry_run)
    return {{}, preview_json(static_cast<std::size_t>(rows), before, "null", versions)};
  commit(*edit, recorder);
  return {{},
          R"({"class_name":)" + quoted_json(shown.name) + R"(,"deleted":true,"rows":)" +
              std::to_string(rows) + "}"};
}

}  // namespace gantry::data
