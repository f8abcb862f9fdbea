// view/field_form.hpp: how the stored values of one field become values and JSON.
//
// Part of a FieldView (view/class_view.hpp); copies what it needs. A stored value that does not fit
// the field's kind keeps its own type. A text that is a JSON object or array stays a text, and
// loses what the agent may not see, whatever its field; bytes that are such a text too. Text that
// is not UTF-8 becomes bytes. Cannot fail. Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/field.hpp"
#include "policy/class_filter.hpp"
#include "values/value.hpp"
#include "view/value_writer.hpp"

namespace gantry::data {

class FieldForm {
 public:
  // `id` is objectId; `instant` a date that is written as bare ISO text; `json` stored JSON, shown
  // without internal members at any depth; `redacted` a pointer to a class that the scope hides.
  enum class Type : std::uint8_t { plain, id, date, instant, boolean, json, pointer, redacted };

  // A field under its own name. `redacted`: a pointer to a class that the agent may not see;
  // `classes`: those that it may see, for pointers inside stored JSON (null: all).
  FieldForm(const Field& field, bool redacted, ClassFilterPtr classes);
  // objectId, for keys of one column; its owner joins the parts of composite ids.
  static FieldForm id() { return FieldForm(Type::id); }
  // The stored value itself: of a key, or of a pointer that is compared by its key.
  static const FieldForm& plain();
  // Dates that are stored so: of a pointer that is compared by the date that its key is.
  static const FieldForm& of_dates(DateForm form);
  // createdAt and updatedAt, of the date field that has the role.
  FieldForm as_role() const;
  // Of a JSON field, for a reader that follows this dotted path below it: value() may leave out
  // everything else.
  FieldForm at_path(std::string_view path) const;

  bool is(Type type) const { return type_ == type; }
  const std::string& target() const { return target_; }  // pointers: the class
  // Whether this is a pointer that is read as the date that its key is.
  bool points_to_date() const { return points_to_date_; }

  // Whether the agent sees less of this stored text, or of these bytes.
  bool hides_part_of(std::string_view text) const;
  // The text or bytes as the agent sees them: `text` itself, or another in `room`.
  std::string_view seen(std::string_view text, std::string& room) const;

  // Missing for NULL and for JSON that must not be shown. A pointer is the key that it equals, a
  // redacted one {"className":…,"__redacted":true}.
  Value value(const StoredValue& stored) const;

  // The same as JSON, with null for NULL; stored JSON keeps its text. `form` is JsonDialect::plain,
  // or parse, where a pointer is {"__type":"Pointer","className":…,"objectId":…}.
  void write(const StoredValue& stored, JsonDialect form, JsonAppender& out) const {
    if (may_hide(stored)) return write_seen(stored, form, out);
    const bool is_bare_key =
        type_ == Type::pointer && form == JsonDialect::plain && !points_to_date_;
    const bool is_plain = type_ == Type::plain || is_bare_key;
    return is_plain ? write_value(stored, form, out) : write_typed(stored, form, out);
  }

  // Appends the value in the form of a table cell: bare text, a pointer's id, a date's ISO text.
  // NULL appends nothing; `json`: the value's JSON was appended, for the caller to convert.
  enum class Shown { nothing, text, json };
  Shown append_shown(const StoredValue& stored, JsonDialect form, std::string& out) const;

 private:
  explicit FieldForm(Type type) : type_(type) {}
  // Of a text, or of bytes, that may be JSON: the first is a bracket, or white space.
  bool may_hide(const StoredValue& stored) const {
    if (!holds_texts_ || stored.bytes.empty()) return false;
    const auto first = static_cast<unsigned char>(stored.bytes.front());
    return first == '{' || first == '[' || first <= ' ';
  }
  StoredValue seen_value(const StoredValue& stored, std::string& room) const;
  void write_seen(const StoredValue& stored, JsonDialect form, JsonAppender& out) const;
  void write_typed(const StoredValue& stored, JsonDialect form, JsonAppender& out) const;

  Type type_;
  bool points_to_date_ = false;
  bool holds_texts_ = false;  // other than JSON and keys
  DateForm date_form_ = DateForm::none;
  ClassFilterPtr classes_;         // that the agent may see
  std::vector<std::string> path_;  // json: see at_path()
  std::string target_;
  std::string json_;  // pointers: the JSON of parse up to the id; redacted pointers: all of it
};

}  // namespace gantry::data
