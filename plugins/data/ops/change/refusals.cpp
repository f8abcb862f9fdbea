#include "ops/change/refusals.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "ops/class_schema.hpp"
#include "ops/page.hpp"
#include "sql/change.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data {
namespace {

DataError refusal(std::string_view code, std::string_view kind, std::string_view class_name,
                  const std::vector<std::string>& fields, std::string message) {
  DataError error;
  error.code = code;
  error.message = std::move(message);
  error.details_json = R"({"kind":)" + quoted_json(kind) + R"(,"class_name":)" +
                       quoted_json(class_name) +
                       (fields.empty() ? "" : R"(,"fields":)" + quoted_list(fields)) + "}";
  return error;
}

std::string quoted_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

const FieldView* field_of_column(const ClassView& shown, const std::string& column) {
  const std::string quoted = quote_name(column);
  const auto found =
      std::find_if(shown.fields.begin(), shown.fields.end(),
                   [&](const FieldView& field) { return same_name(field.column, quoted); });
  return found == shown.fields.end() ? nullptr : &*found;
}

// Those in a CHECK. Hidden ones leave no trace.
std::vector<std::string> checked_fields(const RowRefusal& refusal, const ClassView& shown) {
  std::vector<std::string> names;
  for (const std::string& column : refusal.columns) {
    const FieldView* const field = field_of_column(shown, column);
    const bool is_new =
        field != nullptr && std::find(names.begin(), names.end(), field->name) == names.end();
    if (is_new) names.push_back(field->name);
  }
  return names;
}

// Of the columns that the refusal names those that the caller sees, if the table is this class's.
std::vector<std::string> shown_fields(const RowRefusal& refusal, const ClassView& shown) {
  if (refusal.kind == refused::kFailedValidation) return checked_fields(refusal, shown);
  std::vector<std::string> names;
  if (!same_name(refusal.table, table_of(shown))) return names;
  for (const std::string& column : refusal.columns) {
    const FieldView* const found = field_of_column(shown, column);
    // One hidden field of several makes the others misleading.
    if (found == nullptr) return {};
    names.push_back(found->name);
  }
  return names;
}

// As get_schema shows them.
std::string allowed_values(const ClassView& shown, const std::vector<std::string>& fields) {
  constexpr std::size_t kMost = 20;
  std::string sentences;
  for (const std::string& name : fields) {
    const FieldView* const field = shown.find(name);
    if (field == nullptr || !shows_allowed(*field)) continue;
    std::string list;
    for (std::size_t i = 0; i < std::min(field->allowed.size(), kMost); ++i) {
      if (i > 0) list += ", ";
      gantry::JsonWriter out(list);
      write_literal(out, field->allowed[i]);
    }
    sentences +=
        " Values of '" + name + "': " + list + (field->allowed.size() > kMost ? ", …." : ".");
  }
  return sentences;
}

std::string row_message(const RowRefusal& refusal, const ClassView& shown, ClassOp op,
                        const std::vector<std::string>& fields) {
  const std::string cls = "Class '" + shown.name + "'";
  if (refusal.kind == refused::kDuplicateValue) {
    return cls + " already has an object with " +
           (fields.empty() ? "a value that must be unique"
                           : "this value of " + quoted_names(fields)) +
           ". Give another value, or update that object.";
  }
  if (refusal.kind == refused::kRequiredField) {
    return fields.empty()
               ? cls + " refuses the object: a required field has no value."
               : "Field " + quoted_names(fields) + " of class '" + shown.name + "' needs a value.";
  }
  if (refusal.kind == refused::kMissingReference) {
    return op == ClassOp::remove
               ? "Other objects refer to this object of class '" + shown.name +
                     "'. Change or delete them first."
               : cls + " refuses the object: a reference has no target, or others refer to it.";
  }
  if (refusal.kind == refused::kNoMoreNumbers) {
    const bool is_own = same_name(refusal.table, table_of(shown));
    return cls + (is_own ? " takes no new object: its" : " refuses the change: another table's") +
           " numbering has reached its last number, 9223372036854775807. The operator has to lower "
           "it in the table sqlite_sequence.";
  }
  if (refusal.kind == refused::kObjectTooLarge) {
    return "The object is larger than the database can store.";
  }
  if (fields.empty()) {
    return cls + " refuses the change: a check or a trigger of its table does not allow it.";
  }
  return cls + " refuses the change: a check of " + quoted_names(fields) + " does not allow it." +
         allowed_values(shown, fields);
}

}  // namespace

DataError refused_row(const RowRefusal& row, const ClassView& shown, ClassOp op) {
  const auto fields = shown_fields(row, shown);
  return refusal(error_code::kInvalidArgument, row.kind, shown.name, fields,
                 row_message(row, shown, op, fields));
}

DataError broken_schema(const ClassView& shown, const std::string& why) {
  DataError error = refusal(error_code::kInvalidArgument, refused::kBrokenSchema, shown.name, {},
                            "Class '" + shown.name +
                                "' refuses the change: a foreign key, a trigger or an expression "
                                "of its table is in error. The operator has to mend the schema of "
                                "the database; the audit record says what is wrong.");
  error.audit_note = R"({"store_error":)" + quoted_json(why) + "}";
  return error;
}

DataError missing_target(const ClassView& shown, const std::string& field) {
  return refusal(error_code::kInvalidArgument, refused::kMissingReference, shown.name, {field},
                 "Field '" + field + "' of class '" + shown.name +
                     "' refers to an object that does not exist. Give the id of one that does.");
}

DataError unwritable_field(const ClassView& shown, const std::string& field,
                           const std::string& why) {
  return refusal(error_code::kInvalidArgument, "unwritable_field", shown.name, {field},
                 "Field '" + field + "' of class '" + shown.name + "' cannot be written: " + why);
}

DataError unfit_value(const ClassView& shown, const std::string& field, const std::string& why) {
  return refusal(error_code::kInvalidArgument, "unfit_value", shown.name, {field},
                 "Field '" + field + "' of class '" + shown.name + "': " + why);
}

DataError unwritable_object(const ClassView& shown, ClassOp op) {
  DataError error =
      refusal(error_code::kAccessDenied, "row_not_writable", shown.name, {},
              "This agent may read this object of class '" + shown.name + "', but not " +
                  (op == ClassOp::remove ? "delete" : "update") +
                  " it: it belongs to others, or its access list does not name the agent.");
  error.cause = "row_rule";
  return error;
}

DataError outside_boundary(const ClassView& shown) {
  DataError error = refusal(
      error_code::kAccessDenied, "row_boundary", shown.name, {},
      "The object would not be one that this agent may see and write. Leave the fields that decide "
      "that in class '" +
          shown.name + "' as the agent's own objects have them.");
  error.cause = "row_rule";
  return error;
}

DataError gone_object(const ClassView& shown, const std::string& id) {
  return refusal(error_code::kNotFound, "object_gone", shown.name, {},
                 "After this write there is no object with id '" + clipped(id, 256) +
                     "' in class '" + shown.name +
                     "': a trigger of its table removes it or changes its id. Nothing was "
                     "written.");
}

DataError unwritable_class(const ClassView& shown, const std::string& why) {
  return refusal(error_code::kInvalidArgument, "unwritable_class", shown.name, {},
                 "Objects of class '" + shown.name + "' cannot be written: " + why);
}

DataError no_such_write(const std::string& id) {
  DataError error = invalid_argument("There is no write '" + clipped(id, 64) +
                                     "'. `gantry writes list` shows those that are kept.");
  error.code = error_code::kNotFound;
  return error;
}

DataError changed_since(std::string_view class_name, const std::vector<std::string>& ids) {
  std::string list;
  for (const std::string& id : ids) {
    list += (list.empty() ? "'" : ", '") + clipped(id, 64) + "'";
  }
  const std::string cls = "class '" + std::string(class_name) + "'";
  DataError error;
  error.code = error_code::kInvalidArgument;
  error.message =
      "Nothing was written: " +
      (ids.empty() ? cls + " is not as it was shown. Preview the call again"
                   : "of " + cls + " these objects are not as they were shown: " + list +
                         ". Read them again") +
      " and decide anew.";
  error.details_json = R"({"kind":"changed_since","class_name":)" + quoted_json(class_name) +
                       R"(,"object_ids":)" + quoted_list(ids) + "}";
  return error;
}

}  // namespace gantry::data
