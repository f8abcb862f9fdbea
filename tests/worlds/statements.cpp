#include "draw.hpp"

namespace gantry::worlds {
namespace {

// A table of a FROM, with the name by which its columns are written.
struct Source {
  const ClassWords* cls = nullptr;
  std::string alias;
};
using Sources = std::vector<Source>;

class Statements {
 public:
  explicit Statements(Draw& draw) : draw_(draw) {}

  std::string statement() {
    std::string sql;
    if (one_in(6)) sql = "WITH " + query_definition() + " ";
    const std::size_t columns = 1 + draw_.chance.below(3);
    sql += select(columns, {}, 0);
    const bool is_compound = one_in(8);
    if (is_compound)
      sql += of({" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT "}) + select(columns, {}, 1);
    if (one_in(3)) {
      const std::string place = std::to_string(1 + draw_.chance.below(columns));
      sql +=
          " ORDER BY " + (is_compound || one_in(2) ? place : field(first_, 16)) + of({"", " DESC"});
    }
    if (one_in(4)) tries(34), sql += " LIMIT " + std::to_string(1 + draw_.chance.below(5));
    if (sql.find(" LIMIT ") != sql.npos && one_in(3))
      sql += " OFFSET " + std::to_string(draw_.chance.below(4));
    return sql;
  }

 private:
  bool one_in(std::size_t n) { return draw_.chance.once_in(n); }
  std::string of(const std::vector<std::string>& choices) { return draw_.chance.of(choices); }
  void tries(int row) { draw_.rows.insert(row); }
  const ClassWords& any() { return any_class(draw_); }

  std::string table(const ClassWords& cls) {
    if (!draw_.is_nosy || !one_in(6)) return one_in(8) ? "\"" + cls.name + "\"" : cls.name;
    tries(10), tries(9);
    if (one_in(3))
      return of({"main.orders", "temp.customer", "sqlite_schema", "main.payroll", "vaul"});
    return draw_.chance.of(draw_.words.hidden_classes);
  }

  std::string field(const Source& source, int row) {
    const std::string dot = source.alias.empty() ? "" : source.alias + ".";
    const ClassWords& cls = *source.cls;
    if (cls.name == "doc") {
      const bool is_nosy = draw_.is_nosy && one_in(2);
      if (is_nosy) tries(row), tries(15);
      return dot + of({"_id", "objectId", "document", "document ->> '$.n'", "document ->> '$.name'",
                       is_nosy ? "document ->> '$.secret'" : "document -> '$.tags'",
                       is_nosy ? "document ->> '$.hiddenkey'" : "document ->> '$.sub.a'"});
    }
    if (draw_.is_nosy && !cls.denied.empty() && one_in(4)) {
      tries(row);
      return dot + (one_in(6) ? "rowid" : draw_.chance.of(cls.denied));
    }
    if (one_in(12)) return dot + of({"objectId", "createdAt", "updatedAt"});
    const std::string name = draw_.chance.of(cls.fields);
    if (name == "payroll_id") tries(row == 33 ? 33 : 17);
    return dot + name;
  }

  std::string number(const Source& source) {
    if (source.cls->numbers.empty() || source.cls->name == "doc")
      return "length(" + field(source, 32) + ")";
    return (source.alias.empty() ? "" : source.alias + ".") + draw_.chance.of(source.cls->numbers);
  }

  std::string value(const Source& source, const std::string& written) {
    const std::string name =
        written.substr(written.find('.') == written.npos ? 0 : written.find('.') + 1);
    const auto known = source.cls->values.find(name);
    if (known == source.cls->values.end() || one_in(8)) {
      return of({"0", "1", "2.5", "'a'", "''", "NULL", "'2026-01-31'", "1e3", "x'00'"});
    }
    const Literals& values = known->second;
    const bool hidden = draw_.chance.percent(kHiddenShare) && !values.hidden.empty();
    const std::string text = draw_.chance.of(hidden ? values.hidden : values.seen);
    return text.empty() ? "NULL" : text;
  }

  // What fails, or takes too much, on values of hidden rows alone.
  std::string failing(const Source& source) {
    tries(20);
    const std::string name = field(source, 12);
    const std::string hidden = value(source, name);
    const std::string least = " - 9223372036854775807 - 1)";
    switch (draw_.chance.below(6)) {
      case 0:
        return "abs(" + number(source) + " - 666" + least + " <> 0";
      case 1:
        return "json(" + name + ") IS NOT 1";
      case 2:
        return name + " LIKE 'a' ESCAPE " + name;
      case 3:
        return "CASE WHEN " + name + " = " + hidden + " THEN abs(length(" + name + ") * 0" + least +
               " ELSE 1 END";
      case 4:
        return "CASE WHEN " + name + " = " + hidden + " THEN length(printf('%.*c', 9000000, " +
               name + ")) ELSE 1 END";
      default:
        return "CASE WHEN " + name + " = " + hidden + " THEN length(trim(" + name +
               " || replace(printf('%.*c', 3000, 'x'), 'x', printf('%.*c', 3000, 'y')))) ELSE 1 "
               "END";
    }
  }

  std::string compared(const Source& source) {
    const std::string name = field(source, 12);
    switch (draw_.chance.below(8)) {
      case 0:
        return name + " IN (" + value(source, name) + ", " + value(source, name) + ")";
      case 1:
        return name + " BETWEEN " + value(source, name) + " AND " + value(source, name);
      case 2:
        return name + of({" IS NULL", " IS NOT NULL"});
      case 3:
        return name + " LIKE " + of({"'%a%'", "'g%'", "'Hid%'", "'_'", "'%'"});
      default:
        return name + of({" = ", " <> ", " < ", " >= ", " IS "}) + value(source, name);
    }
  }

  std::string related(const Source& source, int depth) {
    tries(28);
    const Source inner{&any(), "s" + std::to_string(depth)};
    const std::string from = " FROM " + table(*inner.cls) + " " + inner.alias + " WHERE ";
    const std::string both = field(inner, 12) + " = " + field(source, 12);
    switch (draw_.chance.below(4)) {
      case 0:
        return field(source, 12) + of({" IN (", " NOT IN ("}) + select(1, {}, depth + 1) + ")";
      case 1:
        return of({"EXISTS (SELECT 1", "NOT EXISTS (SELECT *"}) + from + both + ")";
      case 2:
        return "(SELECT count(*)" + from + both + " AND " + condition(inner, depth + 1) + ") > " +
               of({"0", "1"});
      default:
        return "(SELECT max(" + field(inner, 32) + ")" + from + both + ") >= " + field(source, 12);
    }
  }

  std::string condition(const Source& source, int depth) {
    if (one_in(5)) return failing(source);
    if (depth < 2 && one_in(5)) return related(source, depth);
    if (depth < 3 && one_in(4)) {
      return "(" + condition(source, depth + 1) + of({" AND ", " OR "}) +
             condition(source, depth + 1) + ")";
    }
    return (one_in(10) ? "NOT " : "") + compared(source);
  }

  std::string aggregate(const Source& source) {
    tries(30);
    const std::string name = field(source, 32);
    const std::string call =
        of({"count(*)", "count(" + name + ")", "count(DISTINCT " + name + ")", "min(" + name + ")",
            "max(" + name + ")", "sum(" + number(source) + ")", "avg(" + number(source) + ")",
            "total(" + number(source) + ")", "group_concat(" + name + ", '|')",
            "json_group_array(" + name + ")"});
    return one_in(6) ? call + " FILTER (WHERE " + condition(source, 2) + ")" : call;
  }

  std::string window(const Source& source) {
    tries(30);
    const std::string over =
        " OVER (" + std::string(one_in(2) ? "PARTITION BY " + field(source, 32) + " " : "") +
        "ORDER BY " + field(source, 16) + ")";
    return of({"row_number()", "rank()", "dense_rank()", "ntile(3)", "percent_rank()",
               "lag(" + field(source, 32) + ")", "first_value(" + field(source, 32) + ")",
               "sum(" + number(source) + ")", "count(*)"}) +
           over;
  }

  std::string scalar(const Source& source, int depth) {
    const std::string name = field(source, 12);
    switch (draw_.chance.below(8)) {
      case 0:
        return of({"upper(", "length(", "typeof(", "hex(", "quote(", "date("}) + name + ")";
      case 1:
        return "coalesce(" + name + ", " + value(source, name) + ")";
      case 2:
        return depth < 1 ? "(" + select(1, source, depth + 1) + ")" : name;
      case 3:
        return name + " || '/' || " + field(source, 12);
      default:
        return name;
    }
  }

  std::string joined(Sources& sources, int depth) {
    const Source first = sources.front();
    const Source second{&any(), "j" + std::to_string(depth)};
    sources.push_back(second);
    const std::string right = table(*second.cls) + " " + second.alias;
    if (one_in(8)) return of({", ", " CROSS JOIN "}) + right;
    if (one_in(10)) return " NATURAL JOIN " + right;
    std::string on = field(first, 12) + " = " + field(second, 12);
    for (const auto& [pointer, target] : first.cls->points) {
      if (target == second.cls->name && first.cls->name != "doc")
        on = first.alias + "." + pointer + " = " + second.alias + ".id";
    }
    if (one_in(4)) on += " AND " + condition(second, 2);
    return of({" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "}) + right + " ON " + on;
  }

  std::string item(const Source& source, bool groups, bool windows, int depth) {
    if (groups) return aggregate(source);
    return windows ? window(source) : scalar(source, depth);
  }

  // `outer`: of a correlated sub-query; else without a class.
  std::string select(std::size_t columns, const Source& outer, int depth) {
    Sources sources{{&any(), "a" + std::to_string(depth)}};
    if (depth == 0) first_ = sources[0];
    std::string from = table(*sources[0].cls) + " " + sources[0].alias;
    if (depth == 0 && one_in(8)) {
      from = "(SELECT * FROM " + table(*sources[0].cls) + " WHERE " +
             condition({sources[0].cls, ""}, 2) + ") " + sources[0].alias;
    }
    if (one_in(3)) from += joined(sources, depth);
    const bool groups = one_in(3), windows = !groups && one_in(6);
    if (columns == 1 && depth == 0 && !groups && one_in(6)) {
      tries(37);
      return "SELECT * FROM " + from + where(sources, outer, depth);
    }
    std::string list, key;
    if (groups && one_in(2)) key = field(sources[0], 33);
    for (std::size_t i = 0; i < columns; ++i) {
      const Source& source = sources[draw_.chance.below(sources.size())];
      const bool is_key = i == 0 && !key.empty();
      list += (i == 0 ? "" : ", ") + (is_key ? key : item(source, groups, windows, depth));
    }
    std::string sql = std::string("SELECT ") + (!groups && one_in(6) ? "DISTINCT " : "") + list +
                      " FROM " + from + where(sources, outer, depth);
    if (!key.empty()) sql += " GROUP BY " + key;
    if (!key.empty() && one_in(3)) sql += " HAVING " + aggregate(sources[0]) + " > 1";
    return sql;
  }

  std::string where(const Sources& sources, const Source& outer, int depth) {
    std::string all = draw_.chance.percent(70) ? condition(sources[0], depth) : "";
    if (outer.cls != nullptr && one_in(2)) {
      all += (all.empty() ? "" : " AND ") + field(sources[0], 12) + " = " + field(outer, 12);
    }
    return all.empty() ? "" : " WHERE " + all;
  }

  std::string query_definition() {
    if (one_in(4)) {
      return "RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < (SELECT count(*) "
             "FROM " +
             table(any()) + "))";
    }
    const std::string name =
        one_in(4) ? draw_.chance.of(draw_.words.hidden_classes) : std::string("q");
    return name + " AS " + of({"", "MATERIALIZED ", "NOT MATERIALIZED "}) + "(" + select(2, {}, 1) +
           ")";
  }

  Draw& draw_;
  Source first_{};  // of the statement's first SELECT
};

}  // namespace

Request any_statement(Chance& chance, const Words& words) {
  Draw draw{chance, words, chance.percent(35), {}};
  const std::string sql = Statements(draw).statement();
  Request request{Request::Kind::sql, "sql", sql, {}, {}};
  if (chance.once_in(8)) {
    request.op = "explain";
    draw.rows.insert({38, 39});
    if (chance.once_in(2)) request.more = ",'refuse_collscan':true";
  } else {
    if (chance.once_in(4)) request.more = ",'limit':2", draw.rows.insert(34);
    if (chance.once_in(6)) request.more += ",'format':'csv'";
  }
  request.rows = draw.rows;
  return request;
}

}  // namespace gantry::worlds
