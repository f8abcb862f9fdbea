#include "sql/seen_text.hpp"

#include <memory>
#include <utility>

#include "catalog/column_type.hpp"
#include "values/matcher.hpp"

namespace gantry::data {
namespace {

using Form = FieldForm::Type;

class SeenText final : public Matcher {
 public:
  explicit SeenText(FieldForm form) : form_(std::move(form)) {}
  bool match(const StoredValue&) const override { return false; }
  StoredValue shown(std::span<const StoredValue> row, std::string& room) const override {
    return {row[0].type, 0, 0, form_.seen(row[0].bytes, room)};
  }

 private:
  FieldForm form_;
};

// The expression with what comparisons take from the column that it stands for.
Fragment as_column(const Field& field, Fragment sql) {
  if (affinity_of(field.declared) == Affinity::text) {
    sql = std::move(Fragment{"CAST(", {}}.add(sql).add(" AS TEXT)"));
  }
  const bool is_known = same_name(field.collation, "NOCASE") || same_name(field.collation, "RTRIM");
  return is_known ? std::move(sql.add(" COLLATE " + field.collation)) : std::move(sql);
}

}  // namespace

bool may_hold_json(const Field& field, const FieldForm& form, const ClassView& cls) {
  const bool has_texts =
      !field.numeric_affinity ||
      (form.is(Form::plain) && (field.kind == Kind::string || field.kind == Kind::any));
  return (field.may_be_json || (cls.is_ruled() && has_texts)) && field.name != cls.id_name() &&
         (form.is(Form::plain) || form.is(Form::date) || form.is(Form::boolean));
}

// Comparisons cost less than calls. Bytes come after all texts.
std::string may_be_json(const Field& field) {
  const std::string plain = field.column + " COLLATE BINARY";
  return "((" + plain + "<'!' OR (" + plain + ">='[' AND (" + plain + "<'\\' OR (" + plain +
         ">='{' AND (" + plain + "<'|' OR " + plain + ">=x''))))) AND typeof(" + field.column +
         ") IN ('text','blob'))";
}

Fragment seen_text(const Field& field, const FieldForm& form) {
  Fragment seen{"gantry_shown(", {}};
  seen.bind(std::make_shared<SeenText>(form)).add(", " + field.column + ")");
  const std::string may_be = may_be_json(field);
  if (!field.numeric_affinity) {
    Fragment sql{"CASE WHEN " + may_be + " THEN ", {}};
    return as_column(field, std::move(sql.add(seen).add(" ELSE " + field.column + " END")));
  }
  // Comparisons take numeric affinity from a sub-query's last column alone.
  Fragment sql{"(SELECT ", {}};
  sql.add(seen).add(" WHERE " + may_be + " UNION ALL SELECT " + field.column);
  return std::move(sql.add(" WHERE NOT " + may_be + ")"));
}

}  // namespace gantry::data
