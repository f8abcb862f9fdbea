#include "statement/composed.hpp"

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "rows/class_query.hpp"

namespace gantry::data {
namespace {

bool is_numbered(const std::string& parameter) { return parameter.starts_with('?'); }

enum class Fence : std::uint8_t {
  none,
  streamed,  // SQLite evaluates nothing inside a sub-query with a LIMIT
  stored     // the same, and its rows are read once, however often the statement needs them
};

Fence fence_of(const StatementShape& shape, const StatementShape::UsedClass& used,
               const ClassView& cls) {
  if (!cls.is_ruled() || (shape.is_simple && !has_made_column(cls, used.fields)))
    return Fence::none;
  return shape.is_flat ? Fence::streamed : Fence::stored;
}

std::string own_name(std::string_view name) {
  return quote_name(std::string(kOwnNames).append(name));
}

// SQLite orders joins by how many rows it expects of a sub-query, which indexes and statistics tell
// it. Of a recursive one it always expects 2^32, and of UNION ALL no fewer than of a part.
std::string no_rows_of_many(std::size_t columns) {
  std::string list = "NULL";
  for (std::size_t i = 1; i < columns; ++i) list += ",NULL";
  return " UNION ALL SELECT " + list + " FROM " + own_name("many") + " WHERE 0 LIMIT -1";
}

// The sub-query `own` that holds a class. Without a LIMIT, SQLite may leave out the ORDER BY of a
// sub-query that it reads once for two places, if one of them sorts its rows.
void add_body(const std::string& own, Fence fence, const Fragment& body, std::size_t columns,
              Fragment& sql) {
  sql.add(", " + own);
  if (fence == Fence::none) {
    sql.add(" AS NOT MATERIALIZED (").add(body).add(")");
    return;
  }
  sql.add(fence == Fence::stored ? " AS MATERIALIZED (" : " AS (");
  sql.add("SELECT * FROM (").add(body).add(" LIMIT -1)" + no_rows_of_many(columns) + ")");
}

// SQLite 3.40 compiles no compound with GROUP BY and a term with COLLATE. Such a statement is never
// simple: its rows come the same way whatever is hidden.
std::string all_columns(const KnownStatement& known) {
  const bool is_plain = !known.clauses.is_single && known.clauses.is_grouped;
  std::string order;
  for (std::size_t i = 1; i <= known.shape.columns.size(); ++i) {
    order += (i == 1 ? "" : ", ") + std::to_string(i) + (is_plain ? "" : " COLLATE BINARY");
  }
  return order;
}

// Among the caller's own terms a name may be one of the answer's columns; a part of an expression
// is the class's.
std::string own_key_term(const KnownStatement& known) {
  if (known.own_key.empty()) return {};
  return (known.clauses.has_order ? "+" : "") + quote_name(known.own_key) + ", ";
}

struct Settled {
  std::string query, order;
};

// A sub-query of the text with its rows sorted by all columns, after the caller's own keys. Where
// it has neither these nor a LIMIT, it may end with VALUES, which take no ORDER BY: it stands
// outside.
Settled settled(const KnownStatement& known) {
  const std::string& text = known.text;
  const std::size_t end = known.clauses.bounds_at;
  const bool has_order = known.clauses.has_order;
  const std::string order = own_key_term(known) + all_columns(known);
  const bool is_bare = !has_order && end == text.size() && known.own_key.empty();
  if (is_bare) return {"(" + text + "\n)", " ORDER BY " + order};
  return {"(" + text.substr(0, end) + (has_order ? "\n, " : "\nORDER BY ") + order + "\n" +
              text.substr(end) + "\n)",
          ""};
}

std::string column_list(const std::vector<std::string>& columns) {
  std::string list;
  for (const std::string& name : columns) {
    list.append(list.empty() ? "" : ",").append(quote_name(name));
  }
  return list.empty() ? "`1`" : list;
}

// Adds the sub-queries of a class that the statement names `used.name`. `first`: first_order().
void add_class(const StatementShape& shape, StatementShape::UsedClass used, const ClassView& cls,
               const std::string& first, CallerStatement& all) {
  const Fence fence = fence_of(shape, used, cls);
  const bool lacks_first =
      std::find(used.fields.begin(), used.fields.end(), first) == used.fields.end();
  if (!first.empty() && lacks_first) used.fields.push_back(first);
  all.bodies.push_back(class_query(cls, used.fields, fence != Fence::none));
  const std::string own = own_name(std::to_string(all.bodies.size()));
  add_body(own, fence, all.bodies.back(), used.fields.size(), all.sql);
  all.sql.add(", " + quote_name(used.name) + "(");
  all.sql.add(column_list(used.fields) + ") AS NOT MATERIALIZED (SELECT * FROM " + own + ")");
}

void bind_values(const StatementShape& shape, const std::vector<Bind>& values, Fragment& sql) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_numbered(shape.parameters[i])) {
      sql.binds[i] = values[i];
    } else {
      sql.binds.push_back(values[i]);
    }
  }
}

}  // namespace

CallerStatement composed(const KnownStatement& known, const std::vector<const ClassView*>& classes,
                         const RunValues& run) {
  const StatementShape& shape = known.shape;
  CallerStatement all;
  all.is_simple = shape.is_simple;
  Fragment& sql = all.sql;
  sql.binds.assign(kMostStatementValues + 1, nullptr);
  // It makes the next "?" number 102; it is never read.
  const std::string many = own_name("many");
  sql.add("WITH RECURSIVE " + own_name("values") + "(x) AS (SELECT ?" +
          std::to_string(kMostStatementValues + 1) + "), " + many +
          "(x) AS (SELECT 1 UNION ALL SELECT 1 FROM " + many + " WHERE 0)");
  for (std::size_t i = 0; i < classes.size(); ++i) {
    add_class(shape, shape.classes[i], *classes[i], known.own_key, all);
  }
  const Settled text = known.is_ruled ? settled(known) : Settled{"(" + known.text + "\n)", ""};
  sql.add(" SELECT * FROM ").add(text.query);
  bind_values(shape, run.values, sql);
  if (!run.after.empty()) sql.add(" WHERE ").add(rows_after(known.pages, run.after));
  sql.add(text.order);
  // SQLite copies each row out of a sub-query with a LIMIT into a statement with another one.
  const auto& stated = known.clauses.stated_rows;
  const bool needs_limit = !run.after.empty() || !stated || *stated > run.limit;
  if (needs_limit) sql.add(" LIMIT ").bind(static_cast<std::int64_t>(run.limit));
  return all;
}

void check_parameters(const KnownStatement& known) {
  const auto& names = known.shape.parameters;
  const auto numbered =
      static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_numbered));
  const bool has_gaps = numbered != 0 && numbered != names.size();
  if (!has_gaps && !known.clauses.mixes_parameters) return;
  throw QueryError(
      invalid_argument("'sql' has parameters of several forms. Write ? for all, ?1, ?2, … without "
                       "gaps, or :name"));
}

}  // namespace gantry::data
