#include "statement/composed.hpp"

#include <algorithm>

#include "catalog/column_type.hpp"
#include "catalog/sql_words.hpp"
#include "errors/query_error.hpp"
#include "statement/class_query.hpp"

namespace gantry::data {
namespace {

bool is_numbered(const std::string& parameter) { return parameter.starts_with('?'); }

bool must_fence(const StatementShape& shape, const StatementShape::UsedClass& used,
                const ClassView& cls) {
  return is_ruled(cls) && (!shape.is_simple || has_made_column(cls, used.fields));
}

std::string own_name(std::string_view name) {
  return quote_name(std::string(kOwnNames).append(name));
}

// The place of the top LIMIT, or the end; whether an ORDER BY stands before it.
struct Tail {
  std::size_t at;
  bool has_order = false;
};

Tail tail_of(const std::string& text) {
  Tail tail{text.size()};
  int depth = 0;
  for (const SqlWord& word : sql_words(text)) {
    depth += word.is_sign('(') ? 1 : word.is_sign(')') ? -1 : 0;
    if (depth != 0 || word.form != SqlWord::Form::bare) continue;
    tail.has_order = tail.has_order || same_name(word.text, "order");
    if (!same_name(word.text, "limit")) continue;
    tail.at = word.begin;
    return tail;
  }
  return tail;
}

std::string all_columns(std::size_t columns) {
  std::string order;
  for (std::size_t i = 1; i <= columns; ++i) {
    order += (i == 1 ? "" : ", ") + std::to_string(i) + " COLLATE BINARY";
  }
  return order;
}

// A sub-query of the text with its rows sorted by all columns, after the caller's own keys. Where
// it has neither these nor a LIMIT, it may end with VALUES, which take no ORDER BY.
std::string settled(const std::string& text, std::size_t columns) {
  const Tail tail = tail_of(text);
  const std::string order = all_columns(columns);
  if (!tail.has_order && tail.at == text.size()) return "(" + text + "\n) ORDER BY " + order;
  return "(" + text.substr(0, tail.at) + (tail.has_order ? "\n, " : "\nORDER BY ") + order + "\n" +
         text.substr(tail.at) + "\n)";
}

std::string column_list(const std::vector<std::string>& columns) {
  std::string list;
  for (const std::string& name : columns) {
    list.append(list.empty() ? "" : ",").append(quote_name(name));
  }
  return list.empty() ? "`1`" : list;
}

}  // namespace

CallerStatement composed(const StatementShape& shape, const std::string& text,
                         const std::vector<const ClassView*>& classes,
                         const std::vector<Bind>& values, std::uint64_t limit) {
  CallerStatement all;
  all.is_simple = shape.is_simple;
  Fragment& sql = all.sql;
  sql.binds.assign(kMostStatementValues + 1, nullptr);
  // It makes the next "?" number 102; it is never read.
  sql.add("WITH " + own_name("values") + "(x) AS (SELECT ?" +
          std::to_string(kMostStatementValues + 1) + ")");
  bool is_settled = false;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& used = shape.classes[i];
    const bool is_fenced = must_fence(shape, used, *classes[i]);
    is_settled = is_settled || is_ruled(*classes[i]);
    all.bodies.push_back(class_query(*classes[i], used.fields, is_fenced));
    const std::string own = own_name(std::to_string(i + 1));
    sql.add(", " + own + (is_fenced ? " AS MATERIALIZED (" : " AS NOT MATERIALIZED ("));
    sql.add(all.bodies.back()).add("), " + quote_name(used.name) + "(");
    sql.add(column_list(used.fields) + ") AS NOT MATERIALIZED (SELECT * FROM " + own + ")");
  }
  sql.add(" SELECT * FROM " +
          (is_settled ? settled(text, shape.columns.size()) : "(" + text + "\n)") + " LIMIT ");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_numbered(shape.parameters[i])) {
      sql.binds[i] = values[i];
    } else {
      sql.binds.push_back(values[i]);
    }
  }
  sql.bind(static_cast<std::int64_t>(limit));
  return all;
}

void check_parameters(const StatementShape& shape) {
  const auto& names = shape.parameters;
  const auto numbered =
      static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_numbered));
  if (numbered == 0 || numbered == names.size()) return;
  throw QueryError(
      invalid_argument("'sql' has parameters of several forms. Write ? for all, ?1, ?2, … without "
                       "gaps, or :name"));
}

}  // namespace gantry::data
