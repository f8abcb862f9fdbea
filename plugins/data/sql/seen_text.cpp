#include "sql/seen_text.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/matcher.hpp"

namespace gantry::data {
namespace {

using Form = FieldForm::Type;

// True for a stored text that begins with a bracket, a blank or a control, and for bytes.
// Comparisons cost less than calls. Bytes come after all texts.
std::string may_be_json(const Field& field) {
  const std::string plain = field.column + " COLLATE BINARY";
  return "((" + plain + "<'!' OR (" + plain + ">='[' AND (" + plain + "<'\\' OR (" + plain +
         ">='{' AND (" + plain + "<'|' OR " + plain + ">=x''))))) AND typeof(" + field.column +
         ") IN ('text','blob'))";
}

// The text as the agent sees it; matches one of which it sees less.
class SeenText final : public Matcher {
 public:
  explicit SeenText(FieldForm form) : form_(std::move(form)) {}
  bool match(const StoredValue& value) const override { return form_.hides_part_of(value.bytes); }
  StoredValue shown(std::span<const StoredValue> row, std::string& room) const override {
    return {row[0].type, 0, 0, form_.seen(row[0].bytes, room)};
  }

 private:
  FieldForm form_;
};

bool has_known_collation(const Field& field) {
  return same_name(field.collation, "NOCASE") || same_name(field.collation, "RTRIM");
}

// In any place; an expression may hold any column.
bool is_in_index(const Field& field, const ClassView& cls) {
  return std::any_of(cls.indexes.begin(), cls.indexes.end(), [&field](const Index& index) {
    return std::any_of(index.fields.begin(), index.fields.end(), [&field](const auto& name) {
      return name == field.name || name == "<expression>";
    });
  });
}

Fragment shown(const Field& field, const FieldForm& form) {
  Fragment sql{"gantry_shown(", {}};
  return std::move(sql.bind(std::make_shared<SeenText>(form)).add(", " + field.column + ")"));
}

Fragment seen_text(const Field& field, const FieldForm& form) {
  Fragment sql{"CASE WHEN " + may_be_json(field) + " THEN ", {}};
  return std::move(sql.add(shown(field, form)).add(" ELSE " + field.column + " END"));
}

// Comparisons take an affinity from a sub-query's last column alone.
Fragment with_affinity(const Field& field, const FieldForm& form) {
  const std::string may_be = may_be_json(field);
  Fragment sql{"(SELECT ", {}};
  sql.add(shown(field, form)).add(" WHERE " + may_be + " UNION ALL SELECT " + field.column);
  return std::move(sql.add(" WHERE NOT " + may_be + ")"));
}

}  // namespace

bool may_hold_json(const Field& field, const FieldForm& form, const ClassView& cls) {
  const bool has_texts =
      !field.numeric_affinity ||
      (form.is(Form::plain) && (field.kind == Kind::string || field.kind == Kind::any));
  const bool may_be = field.may_be_json || (has_texts && (cls.is_ruled() || !cls.all_sampled));
  return may_be && field.name != cls.id_name() &&
         (form.is(Form::plain) || form.is(Form::date) || form.is(Form::boolean));
}

bool is_assumed_bare(const Field& field, const ClassView& cls) {
  return !cls.is_ruled() && (field.indexed || cls.is_view() || is_in_index(field, cls));
}

// Ranges, each of which an index can serve.
Predicate hides_text(const Field& field, const FieldForm& form) {
  // Brackets and what comes before letters have their places in these collations.
  const bool is_known = field.binary_collation || has_known_collation(field);
  const std::string plain = field.column + (is_known ? "" : " COLLATE BINARY");
  const auto range = [&plain](const char* from, const char* to) {
    return "(" + plain + from + " AND " + plain + to + ")";
  };
  Fragment hides{"gantry_match(", {}};
  hides.bind(std::make_shared<SeenText>(form)).add(", " + field.column + ")");
  std::string ranges =
      range(">''", "<'!'") + " OR " + range(">='['", "<'\\'") + " OR " + range(">='{'", "<'|'");
  ranges += " OR " + range(">x''", "<x'21'") + " OR " + range(">=x'5b'", "<x'5c'") + " OR " +
            range(">=x'7b'", "<x'7c'");
  return {{"(" + ranges + ")", {}}, std::move(hides)};
}

Fragment seen_by_bytes(const Field& field, const FieldForm& form) {
  const char* const order = field.utf16 ? " COLLATE gantry_utf8" : " COLLATE BINARY";
  return std::move(seen_text(field, form).add(order));
}

Fragment seen_column(const Field& field, const FieldForm& form) {
  const bool is_text = affinity_of(field.declared) == Affinity::text;
  // A cast would make bytes a text.
  const bool has_texts_alone = field.kind == Kind::string || field.kind == Kind::date;
  Fragment sql;
  if (is_text && has_texts_alone) {
    sql = std::move(Fragment{"CAST(", {}}.add(seen_text(field, form)).add(" AS TEXT)"));
  } else if (is_text || field.numeric_affinity) {
    sql = with_affinity(field, form);
  } else {
    sql = seen_text(field, form);
  }
  if (!has_known_collation(field)) return sql;
  return std::move(sql.add(" COLLATE " + field.collation));
}

}  // namespace gantry::data
