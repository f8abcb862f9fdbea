// Random constraints: nothing crashes, a constraint and its negation together match all rows, and
// typed columns give the same answers as a JSON column with the same values.
#include <gtest/gtest.h>

#include <random>

#include "people.hpp"
#include "sql/dialect.hpp"

namespace gantry::data::testing {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return engine_() % count; }
  template <std::size_t N>
  std::string pick(const char* const (&list)[N]) {
    return list[below(N)];
  }

  std::string junk(int depth) {
    static constexpr const char* kLeaves[] = {
        "1",
        "-2.5",
        "null",
        "true",
        "\"ann\"",
        "\"^a\"",
        "\"2026-11-21\"",
        "[]",
        "{}",
        "\"\"",
        "9223372036854775807",
        "1e308",
        R"({"__type":"Date","iso":"x"})",
        R"({"__type":"Bytes"})",
        R"({"__type":"Pointer","className":"Team","objectId":"10"})",
        "\"\\u0000\""};
    if (depth == 0 || below(4) == 0) return pick(kLeaves);
    if (below(3) == 0) return "[" + junk(depth - 1) + "," + junk(depth - 1) + "]";
    return document(depth);
  }

  std::string document(int depth) {
    static constexpr const char* kKeys[] = {
        "name",      "age",    "tags",  "meta.n",     "born",         "team",     "objectId",
        "mixed",     "active", "$and",  "$or",        "$nor",         "$not",     "$eq",
        "$in",       "$nin",   "$gt",   "$lte",       "$regex",       "$options", "$all",
        "$size",     "$type",  "$mod",  "$elemMatch", "$exists",      "$inQuery", "$select",
        "className", "where",  "query", "key",        "$containedBy", "$text",    "$near",
        "",          "."};
    std::string text = "{\"" + pick(kKeys) + "\":" + junk(depth - 1);
    if (below(3) == 0) text += ",\"" + pick(kKeys) + "\":" + junk(depth - 1);
    return text + "}";
  }

 private:
  std::mt19937 engine_;
};

TEST(WhereRandom, AnyJsonIsAnsweredOrRefused) {
  People people;
  Random random(7);
  int answered = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string where = random.document(5);
    const std::string answer = people.select(where);
    ASSERT_FALSE(answer.starts_with("!internal")) << where;
    answered += answer.starts_with('!') ? 0 : 1;
  }
  EXPECT_GT(answered, 200);
}

// A valid condition on a column of one kind; `j` stands for the name.
std::string condition(Random& random, const std::string& name, bool text) {
  static constexpr const char* kTexts[] = {"\"a\"", "\"ab\"", "\"b\"", "\"\"", "\"B\"", "null"};
  static constexpr const char* kNumbers[] = {
      "0", "1", "2", "1.5", "-1", "null", "9007199254740993"};
  static constexpr const char* kOrders[] = {"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"};
  const auto value = [&] { return text ? random.pick(kTexts) : random.pick(kNumbers); };
  std::string test;
  switch (random.below(5)) {
    case 0:
      test = "\"$in\":[" + value() + "," + value() + "]";
      break;
    case 1:
      test = "\"$nin\":[" + value() + "," + value() + "," + value() + "]";
      break;
    case 2:
      test = text ? "\"$regex\":\"^a\"" : "\"$mod\":[2,1]";
      break;
    default:
      test = "\"" + random.pick(kOrders) + "\":" + value();
  }
  if (random.below(4) == 0) return "{\"" + name + "\":{\"$not\":{" + test + "}}}";
  return "{\"" + name + "\":{" + test + "}}";
}

std::string tree(Random& random, const std::string& prefix, int depth) {
  static constexpr const char* kGroups[] = {"$and", "$or", "$nor"};
  if (depth == 0 || random.below(3) == 0) {
    const bool text = random.below(2) == 0;
    return condition(random, prefix + (text ? "s" : "x"), text);
  }
  const std::string group = random.pick(kGroups);
  const std::string first = tree(random, prefix, depth - 1);
  return "{\"" + group + "\":[" + first + "," + tree(random, prefix, depth - 1) + "]}";
}

// Class Twin: the same values typed (s, x) and as members of the JSON column j.
class Twins {
 public:
  Twins() : scope_(catalog()) {
    db_.run(R"(
      CREATE TABLE twin(n INTEGER PRIMARY KEY, s TEXT, x NUMERIC, j TEXT);
      INSERT INTO twin(s, x) SELECT a.value, b.value FROM
        (SELECT 'a' AS value UNION SELECT 'ab' UNION SELECT 'B' UNION SELECT '' UNION SELECT NULL) a,
        (SELECT 0 AS value UNION SELECT 1 UNION SELECT 1.5 UNION SELECT 2 UNION SELECT -1
         UNION SELECT 9007199254740993 UNION SELECT NULL) b;
      UPDATE twin SET j = json_object('s', s, 'x', x);
      CREATE INDEX i_s ON twin(s); CREATE INDEX i_x ON twin(x);)");
  }
  std::string select(std::string_view where) { return testing::select(db_, scope_, "Twin", where); }

 private:
  static CatalogPtr catalog() {
    ClassInfo cls;
    cls.name = "Twin";
    cls.table = "twin";
    cls.fields = {field("n", Kind::integer), field("s", Kind::string), field("x", Kind::number),
                  field("j", Kind::object)};
    cls.id_form = IdForm::column;
    cls.id_fields = {0};
    cls.fields[0].proven = true;
    cls.fields[2].numeric_affinity = true;
    return std::make_shared<const Catalog>(std::vector<ClassInfo>{cls}, 1);
  }
  Database db_;
  Scope scope_;
};

TEST(WhereRandom, TypedColumnsAnswerAsJsonDoes) {
  Twins twins;
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    Random typed(seed);
    Random json(seed);
    const std::string where = tree(typed, "", 4);
    const std::string answer = twins.select(where);
    ASSERT_FALSE(answer.starts_with('!')) << where << answer;
    ASSERT_EQ(answer, twins.select(tree(json, "j.", 4))) << where;
  }
}

TEST(WhereRandom, AConstraintAndItsNegationShareAllRows) {
  Twins twins;
  for (unsigned seed = 0; seed < 1'000; ++seed) {
    Random random(seed);
    const std::string where = tree(random, seed % 2 == 0 ? "" : "j.", 3);
    const auto count = [](const std::string& rows) {
      return rows.empty() ? 0 : 1 + std::count(rows.begin(), rows.end(), ',');
    };
    const std::string negated = R"({"$nor":[)" + where + "]}";
    ASSERT_EQ(count(twins.select(where)) + count(twins.select(negated)), 35) << where;
  }
}

// A valid condition on a column of Person.
std::string typed_condition(Random& random) {
  static constexpr const char* kTexts[] = {R"("ann")", R"("Ann")", R"("")",  R"("zo\u00eb")",
                                           R"("10")",  R"("a")",   R"("7")", "null"};
  static constexpr const char* kNumbers[] = {"0",
                                             "1",
                                             "2.5",
                                             "-3",
                                             "40",
                                             "16",
                                             "1e300",
                                             "9007199254740993",
                                             R"("-Infinity")",
                                             R"({"$numberDouble":"NaN"})",
                                             "null"};
  static constexpr const char* kDates[] = {R"("2026-11-21T20:00:00Z")",
                                           R"("2026-11-22")",
                                           R"("2019-01-01")",
                                           R"("1970-01-01")",
                                           R"({"$date":-1})",
                                           R"({"$date":1795291200001})",
                                           R"("9999-12-31T23:59:59.999Z")",
                                           R"("0000-01-01")",
                                           "null"};
  static constexpr const char* kBooleans[] = {"true", "false", "null"};
  static constexpr const char* kBytes[] = {
      R"({"__type":"Bytes","base64":"AP8="})", R"({"__type":"Bytes","base64":""})",
      R"({"__type":"Bytes","base64":"/2E="})", R"({"__type":"Bytes","base64":"YW5u"})", "null"};
  static constexpr const char* kAny[] = {"5",
                                         R"("5")",
                                         "2.5",
                                         R"("ann")",
                                         "9007199254740993",
                                         R"({"__type":"Bytes","base64":"BQ=="})",
                                         R"({"__type":"Bytes","base64":"/2E="})",
                                         "null"};
  static constexpr const char* kOrders[] = {"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"};
  std::string name;
  const auto value = [&]() -> std::string {
    if (name == "active") return random.pick(kBooleans);
    if (name == "photo") return random.pick(kBytes);
    if (name == "mixed") return random.pick(kAny);
    if (name == "age" || name == "score") return random.pick(kNumbers);
    if (name == "name" || name == "nick" || name == "label") return random.pick(kTexts);
    return random.pick(kDates);
  };
  static constexpr const char* kNames[] = {"name",   "nick",  "label",    "age", "score",
                                           "active", "born",  "ms",       "sec", "jd",
                                           "photo",  "mixed", "createdAt"};
  name = random.pick(kNames);
  std::string test = "\"" + random.pick(kOrders) + "\":" + value();
  if (random.below(4) == 0) {
    test = std::string(random.below(2) == 0 ? "\"$in\":[" : "\"$nin\":[") + value() + "," +
           value() + "," + value() + "]";
  }
  return "{\"" + name + "\":{" + test + "}}";
}

TEST(WhereRandom, SqlAndRowMatchersFindTheSameRows) {
  People people;
  people.db().run(R"(INSERT INTO person(n, name, nick, label, age, score, active, born, ms, sec, jd,
                                        photo, mixed) VALUES
      (20, CAST(x'ff61' AS TEXT), CAST(x'61ff' AS TEXT), CAST(x'ff' AS TEXT), 1, 9e999, 1.0,
       '2026-11-21T20:00:00.0004Z', 1795291200000.6, 1795291200.0004, 2461366.3333333335,
       CAST(x'ff61' AS TEXT), CAST(x'ff61' AS TEXT)),
      (21, 'a', 'A', 'a', 2, -9e999, 0.5, '2026-11-21T23:30:00-05:00', 253402300800000, 253402300800,
       0, 'ann', x'ff61'),
      (22, '', '', '', 7, 0.0, 2, '9999-12-31', -62167219200001, -62167219200.5, 5373484.5, x'616e6e',
       1e300))");
  Random random(11);
  for (int i = 0; i < 4'000; ++i) {
    std::string where = typed_condition(random);
    if (random.below(3) == 0) where = R"({"$nor":[)" + where + "]}";
    const std::string answer = people.select(where);
    ASSERT_FALSE(answer.starts_with('!')) << where << answer;
    ASSERT_EQ(answer, people.select(where, "n", {mute_dialect()})) << where;
  }
}

}  // namespace
}  // namespace gantry::data::testing
