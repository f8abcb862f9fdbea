#include "statement/page_order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "catalog/column_type.hpp"
#include "rows/class_query.hpp"
#include "statement/sql_form.hpp"

namespace gantry::data {
namespace {

using Columns = std::vector<StatementShape::Column>;

// Finds the columns of the answer that terms name.
class TermReader {
 public:
  TermReader(const StatementShape& shape, const std::vector<SqlWord>& words,
             const StatementClauses& clauses, bool renames)
      : shape_(shape), clauses_(clauses), renames_(renames) {
    for (const auto& used : shape.classes) names_.push_back(only_name(words, used.name));
  }

  // The name before the fields of each class; empty: it is read more than once.
  const std::vector<std::optional<std::string>>& names() const { return names_; }

  // The column of a term of ORDER BY. A name means the column of the answer that has it; only if
  // there is none, it means a field.
  std::optional<std::size_t> of_order(const OrderTerm& term) const {
    if (term.number != 0) return of_number(term);
    if (term.name.empty() || clauses_.joins_by_name) return std::nullopt;
    const auto shown = only([&](const auto& column) { return same_name(column.name, term.name); });
    if (!term.qualifier.empty()) return of_class(term);
    return shown.count != 0 ? shown.found() : of_field(term.name);
  }

  // Of GROUP BY, where a field comes before a column of the answer.
  std::optional<std::size_t> of_group(const OrderTerm& term) const {
    if (term.number != 0) return of_number(term);
    if (term.name.empty() || clauses_.joins_by_name || !shape_.is_flat) return std::nullopt;
    if (readers_of(term.name) != 0) return of_field(term.name);
    return only([&](const auto& column) { return same_name(column.name, term.name); }).found();
  }

  // Whether SQL can name the column outside of the statement. The text of an expression is the name
  // of its column.
  bool has_name(std::size_t at) const {
    const StatementShape::Column& column = shape_.columns[at];
    const bool may_differ = column.field.empty() && renames_;
    return !column.name.empty() && !(may_differ && column.name.find('(') != std::string::npos) &&
           only([&](const auto& one) { return same_name(one.name, column.name); }).count == 1;
  }

 private:
  struct Found {
    std::size_t at = 0, count = 0;
    std::optional<std::size_t> found() const {
      return count == 1 ? std::optional(at) : std::nullopt;
    }
  };

  template <class Fits>
  Found only(Fits fits) const {
    Found all;
    for (std::size_t i = 0; i < shape_.columns.size(); ++i) {
      if (fits(shape_.columns[i])) all = {i, all.count + 1};
    }
    return all;
  }

  std::optional<std::size_t> of_number(const OrderTerm& term) const {
    return term.number <= shape_.columns.size() ? std::optional(term.number - 1) : std::nullopt;
  }
  // How many classes have the field among those that the statement names.
  std::ptrdiff_t readers_of(const std::string& name) const {
    return std::count_if(shape_.classes.begin(), shape_.classes.end(), [&](const auto& used) {
      return std::any_of(used.fields.begin(), used.fields.end(),
                         [&](const std::string& field) { return same_name(field, name); });
    });
  }
  std::optional<std::size_t> of_field(const std::string& name) const {
    if (!shape_.is_flat || readers_of(name) != 1) return std::nullopt;
    return only([&](const auto& column) { return same_name(column.field, name); }).found();
  }

  // The column of a qualified field. If two columns show the same field, the first one counts.
  std::optional<std::size_t> of_class(const OrderTerm& term) const {
    for (std::size_t i = 0; shape_.is_flat && i < names_.size(); ++i) {
      if (!names_[i] || !same_name(*names_[i], term.qualifier)) continue;
      const auto found =
          std::find_if(shape_.columns.begin(), shape_.columns.end(), [&](const auto& column) {
            return column.cls == shape_.classes[i].name && same_name(column.field, term.name);
          });
      if (found == shape_.columns.end()) return std::nullopt;
      return static_cast<std::size_t>(found - shape_.columns.begin());
    }
    return of_field(term.name);
  }

  const StatementShape& shape_;
  const StatementClauses& clauses_;
  bool renames_;
  std::vector<std::optional<std::string>> names_;
};

std::string in_sql(const std::string& name) {
  return is_word(name) ? name : in_double_quotes(name);
}

// The sets of fields in which no two rows of the class are equal, but for NULLs. Fields that the
// statement sees as they are stored, so that different values stay different.
std::vector<std::vector<std::string>> unique_fields(const ClassView& cls) {
  if (cls.is_view() || cls.is_open()) return {};
  std::vector<std::vector<std::string>> sets;
  if (cls.id_form == IdForm::rowid) sets.push_back({std::string(cls.id_alias())});
  if (cls.id_form != IdForm::rowid && !cls.key_fields.empty()) {
    std::vector<std::string> names;
    for (const FieldView& part : cls.key_fields) names.push_back(part.name);
    sets.push_back(std::move(names));
  }
  for (const Index& index : cls.indexes) {
    if (index.unique && !index.partial && !index.internal) sets.push_back(index.fields);
  }
  std::erase_if(sets, [&cls](const auto& names) {
    return !std::all_of(names.begin(), names.end(),
                        [&cls](const std::string& name) { return is_shown_as_stored(cls, name); });
  });
  return sets;
}

class Uniqueness {
 public:
  Uniqueness(const StatementShape& shape, const StatementClauses& clauses,
             const std::vector<const ClassView*>& classes, const TermReader& terms)
      : shape_(shape), clauses_(clauses), classes_(classes), names_(terms.names()) {
    for (const ClassView* const cls : classes) sets_.push_back(unique_fields(*cls));
    for (const OrderTerm& term : clauses.groups) groups_.push_back(terms.of_group(term));
    reads_each_once_ = shape.is_flat && !classes.empty() &&
                       std::all_of(names_.begin(), names_.end(),
                                   [](const auto& name) { return name.has_value(); });
  }

  // Whether rows that are equal in these columns are one row.
  bool holds(const std::vector<std::size_t>& columns) const {
    if (is_told_by_rows(columns)) return true;
    if (clauses_.is_grouped || !reads_each_once_) return false;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (!has_key(i, columns)) return false;
    }
    return true;
  }
  // The same, also where they are NULL.
  bool is_told_by_rows(const std::vector<std::size_t>& columns) const {
    const auto has = [&](std::size_t one) {
      return std::find(columns.begin(), columns.end(), one) != columns.end();
    };
    const bool has_groups = clauses_.is_grouped && !groups_.empty() &&
                            std::all_of(groups_.begin(), groups_.end(),
                                        [&](const auto& group) { return group && has(*group); });
    std::size_t distinct = 0;
    while (distinct < shape_.columns.size() && has(distinct)) ++distinct;
    return has_groups || (clauses_.is_distinct && distinct == shape_.columns.size());
  }
  std::string advice() const {
    if (clauses_.is_grouped) return "Select the columns of GROUP BY and end ORDER BY with them";
    if (clauses_.is_distinct) return "Name all columns in ORDER BY";
    if (!reads_each_once_) return {};
    // Columns of two classes may have one name.
    const bool is_one = classes_.size() == 1;
    std::string keys, order;
    for (std::size_t i = 0, number = 0; i < classes_.size(); ++i) {
      if (sets_[i].empty()) return {};
      for (const std::string& name : sets_[i].front()) {
        const std::string own = "k" + std::to_string(++number);
        keys += (number == 1 ? "" : ", ") + (is_one ? "" : in_sql(*names_[i]) + ".") +
                in_sql(name) + (is_one ? "" : " AS " + own);
        order += (number == 1 ? "" : ", ") + own;
      }
    }
    return "Select " + keys + " and end ORDER BY with " + (is_one ? "it" : order);
  }
  // Whether the column is one of those that make rows of its class different.
  bool may_identify(const StatementShape::Column& column) const {
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (classes_[i]->name != column.cls) continue;
      const std::string_view name = column_name(*classes_[i], column.field);
      return std::any_of(sets_[i].begin(), sets_[i].end(), [name](const auto& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
      });
    }
    return false;
  }

 private:
  // Whether the columns have one of the unique sets of the class.
  bool has_key(std::size_t i, const std::vector<std::size_t>& columns) const {
    const ClassView& cls = *classes_[i];
    return std::any_of(sets_[i].begin(), sets_[i].end(), [&](const auto& names) {
      return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(columns.begin(), columns.end(), [&](std::size_t at) {
          return shape_.columns[at].cls == cls.name &&
                 column_name(cls, shape_.columns[at].field) == name;
        });
      });
    });
  }

  const StatementShape& shape_;
  const StatementClauses& clauses_;
  const std::vector<const ClassView*>& classes_;
  const std::vector<std::optional<std::string>>& names_;     // before the fields of each class
  std::vector<std::vector<std::vector<std::string>>> sets_;  // unique ones, of each class
  std::vector<std::optional<std::size_t>> groups_;
  bool reads_each_once_ = false;
};

// A key that is not the rowid may be NULL.
bool is_never_null(const ClassView& cls, const std::string& name) {
  const FieldView* const field = sql_field(cls, name);
  if (field == nullptr) return cls.id_form == IdForm::rowid && name == cls.id_alias();
  return is_shown_as_stored(cls, name) &&
         (field->numbers_rows || (field->required && !cls.is_key(*field)));
}

bool is_known_collation(const std::string& name) {
  return name.empty() || same_name(name, "nocase") || same_name(name, "binary") ||
         same_name(name, "rtrim");
}

PageKey key_of(const StatementShape& shape, std::size_t at, const OrderTerm& term,
               const std::vector<const ClassView*>& classes) {
  const StatementShape::Column& column = shape.columns[at];
  PageKey key{at, quote_name(column.name), term.collation, term.descends, term.nulls_first};
  // An outer join has rows of NULLs.
  key.may_be_null =
      !shape.is_flat || classes.size() != 1 || !is_never_null(*classes.front(), column.field);
  return key;
}

class Condition {
 public:
  explicit Condition(Fragment& sql) : sql_(sql) {}

  // Rows after the value in the order of the key alone.
  void after(const PageKey& key, const Bind& value) {
    if (std::holds_alternative<std::nullptr_t>(value)) {
      sql_.add(key.nulls_first ? column(key) + " IS NOT NULL" : "0");
      return;
    }
    const bool has_nulls = key.may_be_null && !key.nulls_first;
    sql_.add(has_nulls ? "(" : "").add(column(key)).add(key.descends ? " < " : " > ").bind(value);
    if (has_nulls) sql_.add(" OR " + key.sql + " IS NULL)");
  }
  void equal(const PageKey& key, const Bind& value) { sql_.add(column(key) + " IS ").bind(value); }
  // Not before the value: a condition that finds the rows by an index.
  bool from(const PageKey& key, const Bind& value) {
    const bool has_nulls = key.may_be_null && !key.nulls_first;
    if (has_nulls || std::holds_alternative<std::nullptr_t>(value)) return false;
    sql_.add(column(key)).add(key.descends ? " <= " : " >= ").bind(value);
    return true;
  }

 private:
  static std::string column(const PageKey& key) {
    return key.collation.empty() ? key.sql : key.sql + " COLLATE " + quote_name(key.collation);
  }

  Fragment& sql_;
};

}  // namespace

PageOrder page_order(const StatementShape& shape, const std::vector<SqlWord>& words,
                     const StatementClauses& clauses, const std::vector<const ClassView*>& classes,
                     const std::string& own_key, bool renames) {
  if (!clauses.is_single) return {};
  const TermReader reader(shape, words, clauses, renames);
  const Uniqueness uniqueness(shape, clauses, classes, reader);
  PageOrder order;
  std::vector<OrderTerm> terms = clauses.order;
  if (!clauses.has_order && !own_key.empty()) terms.push_back({own_key});
  std::vector<std::size_t> told;  // by columns in their own order
  for (const OrderTerm& term : terms) {
    const auto column = reader.of_order(term);
    if (!column || !reader.has_name(*column) || !is_known_collation(term.collation)) break;
    order.keys.push_back(key_of(shape, *column, term, classes));
    if (term.collation.empty()) told.push_back(*column);
    if (!uniqueness.holds(told)) continue;
    if (uniqueness.is_told_by_rows(told)) return order;
    for (PageKey& key : order.keys) {
      key.identifies = uniqueness.may_identify(shape.columns[key.column]);
    }
    return order;
  }
  return {{}, uniqueness.advice()};
}

// (k1 > v1 OR (k1 IS v1 AND (k2 > v2 OR …))), after k1 >= v1.
Fragment rows_after(const PageOrder& order, const std::vector<Bind>& values) {
  Fragment sql;
  Condition condition(sql);
  const std::size_t last = order.keys.size() - 1;
  if (last > 0 && condition.from(order.keys[0], values[0])) sql.add(" AND ");
  for (std::size_t i = 0; i < last; ++i) {
    sql.add("(");
    condition.after(order.keys[i], values[i]);
    sql.add(" OR (");
    condition.equal(order.keys[i], values[i]);
    sql.add(" AND ");
  }
  condition.after(order.keys[last], values[last]);
  for (std::size_t i = 0; i < last; ++i) sql.add("))");
  return sql;
}

}  // namespace gantry::data
