// tests/fuzz/sql_grammar.hpp: a SELECT for each input: its bytes choose the branches of a grammar.
//
// Names are those of classes and fields that the agent of two_shops.hpp sees, and of others that it
// does not. An input that is used up chooses the first branch, which ends.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gantry::fuzz {

class SqlGrammar {
 public:
  explicit SqlGrammar(std::string_view choices) : choices_(choices) {}

  std::string statement() {
    std::string sql;
    if (below(4) == 1) sql = "WITH " + definition() + " ";
    sql += select(0);
    if (below(4) == 1) {
      sql += of({" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT "}) + select(1);
    }
    return sql + order() +
           of({"", "", " LIMIT 3", " LIMIT 2 OFFSET 1", " LIMIT 1, 2", " LIMIT 1 + 1"});
  }

 private:
  std::size_t below(std::size_t n) {
    if (choices_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(choices_.front());
    choices_.remove_prefix(1);
    return byte % n;
  }
  std::string of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + below(texts.size()));
  }

  std::string table() {
    return of({"orders", "teams", "docs", "orders", "\"orders\"", "vaults", "main.orders", "q",
               "sqlite_schema", "temp.teams", "[gantry:1]", "pragma_table_info('orders')",
               "lines"});
  }
  std::string field() {
    return of({"a.id",       "id",           "a.amount", "amount",   "customer",
               "a.customer", "info",         "name",     "made",     "team_id",
               "vault_id",   "document",     "_id",      "objectId", "b.id",
               "b.name",     "c1",           "secret",   "a.secret", "tenant",
               "rowid",      "\"a\".\"id\"", "a.oid",    "size",     "paid"});
  }
  std::string literal() {
    return of({"1", "'Ada'", "'Eve'", "99", "-9223372036854775808", "NULL", "x'00'", "'{'", "2.5",
               "'acme'", "'rival'", "77", "''", "'$.a'", "'gamma'", "?", ":p", "?1"});
  }

  std::string call(int depth) {
    const std::string value = expression(depth + 1);
    switch (below(9)) {
      case 0:
        return of({"length(", "upper(", "typeof(", "abs(", "json(", "hex(", "date(", "quote(",
                   "json_valid(", "trim(", "round(", "load_extension(", "randomblob(",
                   "changes("}) +
               value + ")";
      case 1:
        return of({"ifnull(", "instr(", "json_extract(", "strftime(", "printf(", "nullif(",
                   "json_remove(", "substr(", "replace(1, ", "glob("}) +
               value + ", " + expression(depth + 1) + ")";
      case 2:
        return of({"count(", "sum(", "min(", "max(", "avg(", "group_concat(", "total(",
                   "json_group_array(", "count(DISTINCT "}) +
               value + ")";
      case 3:
        return of({"count(*)", "row_number()", "rank()", "CURRENT_DATE", "ntile(2)"}) +
               of({"", " OVER ()", " OVER (ORDER BY amount)",
                   " OVER (PARTITION BY customer ORDER BY id)"});
      case 4:
        return "CASE WHEN " + condition(depth + 1) + " THEN " + value + " ELSE " +
               expression(depth + 1) + " END";
      case 5:
        return "(" + select(depth + 1) + ")";
      case 6:
        return value + of({" -> ", " ->> ", " || ", " + ", " % ", " & "}) + expression(depth + 1);
      case 7:
        return "CAST(" + value + of({" AS TEXT)", " AS INTEGER)", " AS REAL)", " AS BLOB)"});
      default:
        return "iif(" + condition(depth + 1) + ", " + value + ", 1)";
    }
  }
  std::string expression(int depth) {
    const std::size_t kind = below(depth > 3 ? 2 : 5);
    return kind == 0 ? field() : kind == 1 ? literal() : kind == 2 ? field() : call(depth);
  }

  std::string condition(int depth) {
    const std::string left = expression(depth + 1);
    switch (below(depth > 3 ? 3 : 9)) {
      case 0:
        return left + of({" = ", " > ", " <> ", " < ", " IS ", " IS NOT DISTINCT FROM "}) +
               literal();
      case 1:
        return left +
               of({" IS NULL", " NOTNULL", " LIKE '%a%'", " GLOB 'E*'", " COLLATE NOCASE = 'eve'"});
      case 2:
        return left + " BETWEEN " + literal() + " AND " + literal();
      case 3:
        return left + of({" IN (", " NOT IN ("}) + select(depth + 1) + ")";
      case 4:
        return of({"EXISTS (", "NOT EXISTS ("}) + select(depth + 1) + ")";
      case 5:
        return "(" + condition(depth + 1) + of({" AND ", " OR "}) + condition(depth + 1) + ")";
      case 6:
        return left + " LIKE " + expression(depth + 1) + " ESCAPE " + expression(depth + 1);
      case 7:
        return "NOT " + condition(depth + 1);
      default:
        return left + of({" = ", " >= "}) + expression(depth + 1);
    }
  }

  std::string joined(int depth) {
    const std::string right = table() + of({" b", " AS b"});
    switch (below(6)) {
      case 0:
        return " JOIN " + right + " ON b.id = a.team_id";
      case 1:
        return of({" LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "}) + right + " ON " +
               condition(depth + 1);
      case 2:
        return of({", ", " CROSS JOIN "}) + right;
      case 3:
        return " NATURAL JOIN " + right;
      case 4:
        return " JOIN " + right + " USING (id)";
      default:
        return " JOIN (" + select(depth + 1) + ") b ON b.c1 = a.id";
    }
  }

  std::string select(int depth) {
    std::string sql = of({"SELECT ", "SELECT ", "SELECT DISTINCT "});
    sql += of({"", "", "", "*, "}) + expression(depth + 1) + " AS c1";
    if (depth == 0 && below(2) == 1) sql += ", " + expression(depth + 1);
    sql += " FROM " + (depth < 3 && below(8) == 1 ? "(" + select(depth + 1) + ")" : table()) + " a";
    if (depth < 3 && below(4) == 1) sql += joined(depth);
    if (below(2) == 1) sql += " WHERE " + condition(depth);
    if (below(6) == 1) sql += " GROUP BY " + field() + of({"", " HAVING count(*) > 0"});
    return sql;
  }

  std::string definition() {
    const std::string name = of({"q", "vaults", "date", "orders", "r"});
    if (below(4) == 1) {
      return "RECURSIVE r(c1) AS (SELECT 1 UNION ALL SELECT c1 + 1 FROM r, " + table() +
             " WHERE c1 < 4)";
    }
    return name + of({" AS (", "(c1) AS (", " AS MATERIALIZED (", " AS NOT MATERIALIZED ("}) +
           select(2) + ")";
  }

  std::string order() {
    return of({"", "", " ORDER BY 1", " ORDER BY c1 DESC", " ORDER BY amount",
               " ORDER BY 1 COLLATE NOCASE", " ORDER BY customer NULLS LAST",
               " ORDER BY abs(amount)"});
  }

  std::string_view choices_;
};

}  // namespace gantry::fuzz
