#include "sql/select.hpp"

#include "sql/table_name.hpp"

namespace gantry::data {

namespace {

class Where {
 public:
  explicit Where(Fragment& sql) : sql_(sql) {}

  void add(const Fragment& condition, std::string_view before = "", std::string_view after = "") {
    if (condition.empty()) return;
    sql_.add(is_first_ ? " WHERE " : " AND ").add(before).add(condition).add(after);
    is_first_ = false;
  }

 private:
  Fragment& sql_;
  bool is_first_ = true;
};

void add_fenced(const Fragment& boundary, const Fragment& condition, Where& conditions) {
  if (boundary.empty() || condition.empty()) return conditions.add(condition);
  Fragment fenced{"CASE WHEN (", {}};
  fenced.add(boundary).add(") THEN ").add(condition).add(" ELSE 0 END");
  conditions.add(fenced);
}

void add_from(const ClassView& cls, const Predicate& where, Fragment& sql) {
  sql.add(" FROM ").add(TableName::table(cls));
  Where conditions(sql);
  conditions.add(cls.boundary, "(", ")");
  conditions.add(cls.canonical, "(", ")");
  conditions.add(where.plain);
  add_fenced(cls.boundary, where.matched, conditions);
}

bool is_bounded(const Clauses& clauses) { return clauses.limit || clauses.skip > 0; }

// LIMIT -1: no limit.
void add_bounds(const Clauses& clauses, Fragment& sql) {
  if (!is_bounded(clauses)) return;
  const std::int64_t limit = clauses.limit ? static_cast<std::int64_t>(*clauses.limit) : -1;
  sql.add(" LIMIT ").bind(limit).add(" OFFSET ").bind(static_cast<std::int64_t>(clauses.skip));
}

}  // namespace

Fragment select_rows(const ClassView& cls, const Fragment& columns, const Clauses& clauses) {
  Fragment sql{"SELECT ", {}};
  add_from(cls, clauses.where, sql.add(columns));
  if (!clauses.order.empty()) sql.add(" ORDER BY ").add(clauses.order);
  add_bounds(clauses, sql);
  return sql;
}

Fragment count_rows(const ClassView& cls, const Clauses& clauses) {
  Fragment sql{"SELECT count(*)", {}};
  if (!is_bounded(clauses)) {
    add_from(cls, clauses.where, sql);
    return sql;
  }
  sql.add(" FROM (").add(
      select_rows(cls, std::string_view("1"), {clauses.where, {}, clauses.skip, clauses.limit}));
  return std::move(sql.add(")"));
}

Fragment value_of_row(const ClassView& cls, const std::string& key, const Fragment& value,
                      std::string_view outer) {
  Fragment columns{key + " AS gantry_of, ", {}};
  columns.add(value).add(" AS gantry_value");
  Fragment sql{"(SELECT gantry_value FROM (", {}};
  sql.add(select_rows(cls, columns, {})).add(") WHERE gantry_of = ").add(outer);
  return std::move(sql.add(" LIMIT 1)"));
}

Fragment found_by(const SearchIndex& index, std::string words) {
  Fragment sql{"(" + index.key + " IN (SELECT rowid FROM ", {}};
  sql.add(index.table).add(" WHERE ").add(index.column).add(" MATCH ").bind(std::move(words));
  return std::move(sql.add("))"));
}

}  // namespace gantry::data
