// Two databases that differ only inside stored JSON, in members that no agent sees, in rows behind
// those that are sampled: every request has the same answer.
#include <chrono>
#include <thread>

#include "ops/tests/small_database.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

// `code` has an index and its column in the view does, `note` has none.
constexpr const char* kTables = R"sql(
  CREATE TABLE teams(id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO teams VALUES (1, 'red'), (2, 'blue');
  CREATE TABLE people(id INTEGER PRIMARY KEY, code TEXT, note TEXT, tag STRING,
                      team INTEGER REFERENCES teams(id));
  CREATE INDEX people_code ON people(code);
  CREATE INDEX people_team ON people(team, note);
  CREATE VIEW persons AS SELECT id, code, note, tag, team FROM people;
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
  INSERT INTO people SELECT i, 'c' || (i % 90), 'n' || (i % 80), 't' || (i % 7), 1 + i % 2 FROM n;
)sql";

// Rows like {"a":1,"_hashed_password":"…"}, which are the same to every agent.
std::string json_rows(const std::vector<std::string>& secrets) {
  std::string sql;
  int id = 500;
  for (const std::string& secret : secrets) {
    const std::string json = R"('{"a":)" + std::to_string(id % 3) + R"(,"_hashed_password":")" +
                             secret + R"(","b":"x"}')";
    sql += "INSERT INTO people VALUES (" + std::to_string(id++) + "," + json + "," + json + "," +
           json + ",1);";
  }
  return sql;
}

class LateJson : public SmallDatabase {
 protected:
  // Of both twins, to the same requests.
  void compare(const std::string& op, const std::vector<std::string>& requests) {
    const auto first = answers(op, requests, {"a", "zz", "mm", "b"});
    const auto second = answers(op, requests, {"zz", "b", "a", "qqqqqqqq"});
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(first[i], second[i]) << op << requests[i];
    }
  }

 private:
  std::vector<std::string> answers(const std::string& op, const std::vector<std::string>& requests,
                                   const std::vector<std::string>& secrets) {
    make(kTables);
    run_sql(json_rows(secrets).c_str());
    std::vector<std::string> list;
    for (const std::string& request : requests) list.push_back(ask(op, request));
    service_.reset();
    return list;
  }
};

constexpr const char* kClasses[] = {"people", "persons"};
constexpr const char* kFields[] = {"code", "note", "tag"};

std::string of(const char* cls, const std::string& more) {
  return R"({"class_name":")" + std::string(cls) + "\"," + more + "}";
}

TEST_F(LateJson, ReadsByConditionsAndOrders) {
  std::vector<std::string> requests;
  for (const char* cls : kClasses) {
    for (const std::string field : kFields) {
      for (const std::string sign : {"", "-"}) {
        requests.push_back(of(cls, R"("order":")" + sign + field + R"(,id","limit":900)"));
        requests.push_back(of(cls, R"("order":")" + sign + field + R"(,id","limit":3)"));
      }
      for (const char* condition :
           {R"({"$gt":"{\"a\":2,\"_hashed_password\":\"b"})", R"({"$regex":"_hashed"})",
            R"({"$lt":"{\"a\":1,\"_hashed_password\":\"n"})", R"({"$regex":"\"zz\""})",
            R"({"$ne":"c1"})", R"({"$in":["c1","{\"a\":2,\"b\":\"x\"}"]})",
            R"("{\"a\":2,\"_hashed_password\":\"a\",\"b\":\"x\"}")"}) {
        requests.push_back(
            of(cls, R"("where":{")" + field + "\":" + condition + R"(},"order":"id","limit":900)"));
      }
    }
  }
  compare("query", requests);
  compare("count", requests);
}

TEST_F(LateJson, GroupsAndPipelines) {
  std::vector<std::string> groups, pipelines;
  for (const char* cls : kClasses) {
    for (const std::string field : kFields) {
      groups.push_back(of(cls, R"("field":")" + field + R"(","sort":"key_asc","limit":1000)"));
      const std::string path = "\"$" + field + "\"";
      for (const std::string& stages :
           {R"({"$sort":{")" + field + R"(":1,"id":1}},{"$limit":900})",
            R"({"$sort":{")" + field + R"(":-1,"id":1}},{"$limit":3})",
            R"({"$group":{"_id":null,"low":{"$min":)" + path + R"(},"high":{"$max":)" + path +
                R"(}}})",
            R"({"$group":{"_id":{"$strLenBytes":)" + path + R"(},"n":{"$sum":1}}},)" +
                R"({"$sort":{"_id":1}})",
            R"({"$match":{"$expr":{"$gt":[)" + path +
                R"(,"{\"a\":1,\"_hashed_password\":\"n"]}}},)" + R"({"$sort":{"id":1}})"}) {
        pipelines.push_back(of(cls, "\"pipeline\":[" + stages + "]"));
      }
    }
  }
  compare("group_by", groups);
  compare("distinct", groups);
  compare("aggregate", pipelines);
}

TEST_F(LateJson, IndexesServeUntilATextHidesSomething) {
  make(kTables);
  run_sql(
      "INSERT INTO people VALUES (500, '[draft]', '{\"a\":1}', '', 1), (501, '', ' ', x'5b', 2)");
  const auto scans = [this](const std::string& cls) {
    const std::string plan =
        ask("explain", R"({"sql":"SELECT id FROM )" + cls + R"( WHERE code = 'c1'"})");
    return plan.find(R"("full_scan":true)") != std::string::npos;
  };
  // A look counts for a time, whatever is committed in it, and may be too short on a busy machine.
  const auto becomes = [&scans](const std::string& cls, bool wanted) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (scans(cls) != wanted && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return scans(cls) == wanted;
  };
  for (const std::string cls : kClasses) EXPECT_TRUE(becomes(cls, false)) << cls;
  run_sql("INSERT INTO people VALUES (502, '{\"_hashed_password\":\"x\"}', 'n', 't', 1)");
  for (const std::string cls : kClasses) EXPECT_TRUE(becomes(cls, true)) << cls;
  // The class of an empty answer is looked at once more, for warnings.
  EXPECT_EQ(ask("sql", R"({"sql":"SELECT id FROM people WHERE code = 'zzz'"})").substr(0, 2), "[]");
  run_sql("DELETE FROM people WHERE id = 502");
  for (const std::string cls : kClasses) EXPECT_TRUE(becomes(cls, false)) << cls;
}

TEST_F(LateJson, Sql) {
  std::vector<std::string> requests;
  for (const std::string cls : kClasses) {
    for (const std::string field : kFields) {
      for (const char* const sql :
           {"SELECT id, @ FROM #", "SELECT id FROM # WHERE length(@) > 30 ORDER BY id",
            "SELECT id FROM # WHERE @ LIKE '%\"zz\"%'", "SELECT id FROM # ORDER BY @, id",
            "SELECT id FROM # ORDER BY @ DESC, id LIMIT 3", "SELECT min(@), max(@) FROM #",
            "SELECT @, count(*) FROM # GROUP BY @ ORDER BY 1",
            "SELECT id FROM # WHERE @ >= '{\"a\":1,\"_hashed_password\":\"n' ORDER BY id",
            "SELECT json_extract(@, '$._hashed_password') FROM # WHERE id > 450 ORDER BY id",
            "SELECT substr(@, 1, 40) FROM # WHERE id > 450 ORDER BY id",
            "SELECT count(DISTINCT length(@)) FROM #",
            "SELECT a.id FROM # a JOIN # b ON a.@ > b.@ WHERE a.id > 450 AND b.id > 450 "
            "ORDER BY a.id",
            "SELECT id FROM # WHERE @ IN (SELECT @ FROM # WHERE id = 500) ORDER BY id",
            "SELECT id FROM # WHERE team = 1 ORDER BY @, id LIMIT 3",
            "SELECT id FROM # WHERE team = 1 AND id > 450", "SELECT id FROM # WHERE @ = 'zzz'"}) {
        std::string text = sql;
        for (auto at = text.find_first_of("@#"); at != std::string::npos;
             at = text.find_first_of("@#")) {
          text.replace(at, 1, text[at] == '#' ? cls : field);
        }
        requests.push_back(R"({"sql":)" + quoted_json(text) + R"(,"limit":900})");
      }
    }
  }
  compare("sql", requests);
}

}  // namespace
}  // namespace gantry::data
