// What the words of a statement say of its outermost SELECT.
#include "statement/clauses.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::data::clauses_test {
namespace {

StatementClauses clauses(const std::string& sql) { return clauses_of(sql_words(sql), sql.size()); }

// "name↓", "3", "t.name", with "nf" where NULLs come first and "~" before a collation.
std::string terms(const std::vector<OrderTerm>& list) {
  std::string text;
  for (const OrderTerm& term : list) {
    text += text.empty() ? "" : " ";
    text += term.qualifier.empty() ? "" : term.qualifier + ".";
    text += term.number > 0 ? std::to_string(term.number) : term.name.empty() ? "?" : term.name;
    text += term.collation.empty() ? "" : "~" + term.collation;
    text += term.descends ? " down" : "";
    text += term.nulls_first ? "" : " nulls last";
  }
  return text;
}
std::string order(const std::string& sql) { return terms(clauses(sql).order); }

TEST(Clauses, TermsOfAnOrderAreNamesNumbersOrSomethingElse) {
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a, b DESC, 3, t.c"), "a b down nulls last 3 t.c");
  EXPECT_EQ(order("select a from t order by \"a b\", [c], `d`"), "a b c d");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a + 1, lower(b), -c, 'text'"), "? ? ? ?");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY \"3\""), "3") << "a name in quotes is no number";
  EXPECT_EQ(clauses("SELECT a FROM t ORDER BY \"3\"").order[0].number, 0U);
}

TEST(Clauses, NullsComeFirstUpwardAndLastDownwardUnlessTheTermSaysSo) {
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a ASC"), "a");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a NULLS LAST"), "a nulls last");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a DESC NULLS FIRST"), "a down");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY a COLLATE nocase DESC"), "a~nocase down nulls last");
  EXPECT_EQ(order("SELECT a FROM t ORDER BY t.a COLLATE \"rtrim\""), "t.a~rtrim");
}

TEST(Clauses, WordsInParenthesesTextsAndCommentsDoNotCount) {
  const StatementClauses all = clauses(
      "SELECT 'order by x limit 9', (SELECT a FROM u ORDER BY a LIMIT 1) -- LIMIT 7\n"
      "FROM t /* ORDER BY z */");
  EXPECT_FALSE(all.has_order);
  EXPECT_FALSE(all.stated_rows);
  EXPECT_TRUE(all.is_single);
  EXPECT_EQ(order("SELECT a FROM t ORDER BY max(a, b), c"), "? c");
}

TEST(Clauses, ALimitIsKnownOnlyWhereItIsOneNumber) {
  EXPECT_EQ(clauses("SELECT a FROM t LIMIT 20").stated_rows, 20U);
  EXPECT_EQ(clauses("SELECT a FROM t LIMIT 20 OFFSET 5").stated_rows, 20U);
  EXPECT_EQ(clauses("SELECT a FROM t LIMIT 0").stated_rows, 0U);
  for (const char* other :
       {"SELECT a FROM t LIMIT 5, 20", "SELECT a FROM t LIMIT ?", "SELECT a FROM t LIMIT -1",
        "SELECT a FROM t LIMIT 2+3", "SELECT a FROM t LIMIT 99999999999999999999",
        "SELECT a FROM t", "SELECT a FROM t LIMIT"}) {
    EXPECT_FALSE(clauses(other).stated_rows) << other;
  }
}

TEST(Clauses, TheBoundsBeginAtTheLimitOrAtTheEnd) {
  const std::string with = "SELECT a FROM t ORDER BY a LIMIT 5";
  EXPECT_EQ(clauses(with).bounds_at, with.find("LIMIT"));
  const std::string without = "SELECT a FROM t";
  EXPECT_EQ(clauses(without).bounds_at, without.size());
}

TEST(Clauses, SetOperationsAndValuesAreNotSingle) {
  EXPECT_TRUE(clauses("SELECT a FROM t").is_single);
  EXPECT_TRUE(clauses("WITH x AS (SELECT 1 UNION SELECT 2) SELECT * FROM x").is_single);
  for (const char* several :
       {"SELECT a FROM t UNION SELECT b FROM u", "VALUES (1)",
        "SELECT a FROM t EXCEPT SELECT b FROM u", "SELECT a FROM t INTERSECT SELECT b FROM u"}) {
    EXPECT_FALSE(clauses(several).is_single) << several;
  }
}

TEST(Clauses, GroupsEndWhereTheNextClauseBegins) {
  const auto groups = [](const std::string& sql) { return terms(clauses(sql).groups); };
  EXPECT_EQ(groups("SELECT a, count(*) FROM t GROUP BY a, t.b HAVING a > 1 ORDER BY 2"), "a t.b");
  EXPECT_EQ(groups("SELECT a FROM t GROUP BY 1 LIMIT 5"), "1");
  EXPECT_EQ(groups("SELECT a FROM t GROUP BY lower(a)"), "?");
  EXPECT_TRUE(clauses("SELECT a FROM t GROUP BY a").is_grouped);
  EXPECT_FALSE(clauses("SELECT a FROM t").is_grouped);
}

TEST(Clauses, SayWhetherRowsMayBeLeftOutOrAreDistinct) {
  EXPECT_TRUE(clauses("SELECT DISTINCT a FROM t").is_distinct);
  EXPECT_FALSE(clauses("SELECT count(DISTINCT a) FROM t").is_distinct);
  EXPECT_TRUE(clauses("SELECT a FROM t WHERE a").is_filtered);
  EXPECT_TRUE(clauses("SELECT a FROM t JOIN u").is_filtered);
  EXPECT_FALSE(clauses("SELECT (SELECT 1 WHERE 1) FROM t").is_filtered);
  EXPECT_TRUE(clauses("SELECT a FROM t NATURAL JOIN u").joins_by_name);
  EXPECT_TRUE(clauses("SELECT a FROM t JOIN u USING (a)").joins_by_name);
  EXPECT_FALSE(clauses("SELECT using_it FROM t").joins_by_name);
}

TEST(Clauses, ParametersWithAndWithoutNumbersAreMixed) {
  EXPECT_TRUE(clauses("SELECT ?1, ?").mixes_parameters);
  EXPECT_TRUE(clauses("SELECT ?1, :x").mixes_parameters);
  EXPECT_FALSE(clauses("SELECT ?1, ?2").mixes_parameters);
  EXPECT_FALSE(clauses("SELECT ?, :x, @y, $z").mixes_parameters);
  EXPECT_FALSE(clauses("SELECT '?1', ?").mixes_parameters);
}

TEST(OnlyName, IsTheAliasOrTheClassItself) {
  const auto name = [](const std::string& sql) {
    return only_name(sql_words(sql), "Order").value_or("none");
  };
  EXPECT_EQ(name("SELECT * FROM \"Order\""), "Order");
  EXPECT_EQ(name("SELECT o.a FROM \"order\" o WHERE o.a = 1"), "o");
  EXPECT_EQ(name("SELECT o.a FROM [ORDER] AS \"my o\""), "my o");
  EXPECT_EQ(name("SELECT \"Order\".a FROM `Order` WHERE \"Order\".b"), "Order");
  EXPECT_EQ(name("SELECT * FROM \"Order\" JOIN Item"), "Order");
  EXPECT_EQ(name("SELECT * FROM \"Order\" a, \"Order\" b"), "none");
  EXPECT_EQ(name("SELECT * FROM Item"), "none");
}

TEST(SqlWords, TellNamesTextsParametersAndSigns) {
  const auto words = [](const std::string& sql) {
    std::string text;
    constexpr const char* kForms[] = {"bare ", "quoted ", "text ", "parameter ", "sign "};
    for (const SqlWord& word : sql_words(sql)) {
      text += kForms[static_cast<int>(word.form)] + word.text + "; ";
    }
    return text;
  };
  EXPECT_EQ(words("a_1 \"b\"\"c\" `d``e` [f g] 'h''i'"),
            "bare a_1; quoted b\"c; quoted d`e; quoted f g; text h'i; ");
  EXPECT_EQ(words(":x @y $z ?12 ?"),
            "parameter :x; parameter @y; parameter $z; parameter ?12; "
            "sign ?; ");
  EXPECT_EQ(words("a.b<>1.5"), "bare a; sign .; bare b; sign <; sign >; bare 1; sign .; bare 5; ");
  EXPECT_EQ(words("é名 -- all of it\n/* and\nthis */x"), "bare é名; bare x; ");
  EXPECT_EQ(words("'never closed"), "text never closed; ");
  EXPECT_EQ(words("x /* never closed"), "bare x; ");
  EXPECT_EQ(words("a--b"), "bare a; ");
  EXPECT_EQ(words(""), "");
}

TEST(SqlWords, KnowTheirPlaceInTheText) {
  const std::string sql = "SELECT 'é' AS \"x y\"";
  for (const SqlWord& word : sql_words(sql)) {
    const std::string there = sql.substr(word.begin, word.end - word.begin);
    EXPECT_NE(there.find(word.text), there.npos) << there;
  }
  EXPECT_EQ(sql_words(sql).back().end, sql.size());
}

}  // namespace
}  // namespace gantry::data::clauses_test
