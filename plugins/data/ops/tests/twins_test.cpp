// Two databases that differ only in internal columns: every request has the same answer, byte for
// byte, including errors, plans, the order of rows and notifications to subscribers.
#include <algorithm>
#include <random>

#include "ops/service.hpp"
#include "resources/resources.hpp"
#include "tests/test_database.hpp"
#include "watch/store_source.hpp"

namespace gantry::data {
namespace {

constexpr int kRows = 60;

// The internal values of one twin; both twins have the same ones in different rows.
class Secrets {
 public:
  explicit Secrets(unsigned seed) : random_(seed) {
    for (int i = 0; i < kRows; ++i) all_.push_back(1000 + i * 7);
    deal();
  }
  void deal() {
    std::shuffle(all_.begin(), all_.end(), random_);
    next_ = 0;
  }
  std::string next() { return std::to_string(all_[next_++]); }

 private:
  std::mt19937 random_;
  std::vector<int> all_;
  std::size_t next_ = 0;
};

constexpr const char* kTables = R"(
  CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT, age INTEGER,
                     sessionToken TEXT, password TEXT, doc JSON);
  CREATE INDEX users_tenant ON users(tenant, sessionToken);
  CREATE INDEX users_token ON users(sessionToken);
  CREATE INDEX users_age ON users(age);
  CREATE INDEX users_start ON users(substr(password, 1, 2));
  CREATE INDEX users_part ON users(name) WHERE sessionToken > '1200';
  CREATE TABLE keyed(password INTEGER PRIMARY KEY, label TEXT, weight INTEGER);
  CREATE TABLE coded(label TEXT, sessionToken TEXT, note TEXT, PRIMARY KEY(sessionToken, label))
    WITHOUT ROWID;
  CREATE TABLE both(tenant TEXT, password TEXT, n INTEGER, PRIMARY KEY(tenant, password));
  CREATE TABLE refers(id INTEGER PRIMARY KEY, owner INTEGER REFERENCES keyed(password), t TEXT);
  CREATE TABLE pairs(id INTEGER PRIMARY KEY, a TEXT, b TEXT,
                     FOREIGN KEY(a, b) REFERENCES both(tenant, password));
  CREATE TABLE made(id INTEGER PRIMARY KEY, password TEXT, title TEXT,
                    hint TEXT GENERATED ALWAYS AS (substr(password, 2)) VIRTUAL,
                    size INTEGER AS (CAST(hint AS INTEGER) % 10) STORED);
  CREATE INDEX made_hint ON made(hint);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, user INTEGER REFERENCES users(id), total INTEGER);
  CREATE VIEW people AS SELECT name, tenant FROM users;
  CREATE VIEW sorted AS SELECT label, note FROM coded;
  CREATE VIEW above AS SELECT * FROM sorted;
  CREATE VIRTUAL TABLE notes USING fts5(title, sessionToken);
  CREATE VIRTUAL TABLE notes_words USING fts5vocab(notes, 'row');
  CREATE VIRTUAL TABLE old USING fts4(title, password);
  CREATE VIRTUAL TABLE old_terms USING fts4aux(old);
  CREATE VIRTUAL TABLE boxes USING rtree(password, x0, x1, +label);
  CREATE VIRTUAL TABLE pages USING dbstat;)";

// Rows sorted by their visible values, so that the rowids are the same.
std::string rows_sql(unsigned seed) {
  Secrets secrets(seed);
  std::string sql = "BEGIN;";
  const auto fill = [&](auto&& row) {
    secrets.deal();
    for (int i = 0; i < kRows; ++i) sql += row(std::to_string(i), secrets.next(), i);
  };
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO users VALUES(" + i + ",'n" + std::to_string(n % 7) + "','t" +
           std::to_string(n % 3) + "'," + std::to_string(n % 5) + ",'" + s + "','" + s +
           "','{\"k\":" + std::to_string(n % 4) + ",\"password\":\"" + s + "\"}');";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO keyed VALUES(" + s + ",'k" + i + "'," + std::to_string(n % 4) + ");";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO coded VALUES('c" + i + "','" + s + "','x" + std::to_string(n % 6) + "');";
  });
  fill([](const std::string&, const std::string& s, int n) {
    return "INSERT INTO both VALUES('t" + std::to_string(n % 2) + "','" + s + "'," +
           std::to_string(n % 9) + ");";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO refers VALUES(" + i + "," + s + ",'r" + std::to_string(n % 3) + "');";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO pairs VALUES(" + i + ",'t" + std::to_string(n % 2) + "','" + s + "');";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    return "INSERT INTO made(id,password,title) VALUES(" + i + ",'" + s + "','m" +
           std::to_string(n % 4) + "');";
  });
  fill([](const std::string& i, const std::string& s, int n) {
    const std::string title = "'word" + std::to_string(n % 5) + "'";
    return "INSERT INTO notes VALUES(" + title + ",'" + s + "'); INSERT INTO old VALUES(" + title +
           ",'" + s + "'); INSERT INTO boxes VALUES(" + s + "," + i + "," + i + ",'b" + i +
           "'); INSERT INTO orders VALUES(" + i + "," + std::to_string(n % 11) + "," +
           std::to_string(n % 6) + ");";
  });
  return sql + "COMMIT; ANALYZE;";
}

// A sequence of requests, of every operation, determined by a seed.
class Requests {
 public:
  explicit Requests(unsigned seed) : random_(seed) {}

  std::string next() {
    switch (below(12)) {
      case 0:
        return of("count", where());
      case 1:
        return of("get",
                  R"(,"object_id":")" + std::to_string(below(70) * (below(2) ? 1 : 20)) + '"');
      case 2:
        return of("get_many", R"(,"ids":["1","7","1007","1014","t0,1007"])");
      case 3:
        return of("samples", "");
      case 4:
        return of("explain", where() + order() + (below(2) ? R"(,"refuse_collscan":true)" : ""));
      case 5:
        return of("aggregate",
                  R"(,"pipeline":)" + pipeline(2) + (below(4) ? "" : R"(,"plan":true)"));
      case 6:
        return of("group_by", R"(,"field":")" + field() + '"' + where());
      case 7:
        return of("distinct", R"(,"field":")" + field() + '"' + where());
      case 8:
        return of("export", where() + order() + R"(,"format":"jsonl")");
      case 9:
        return of("schema", "");
      case 10:
        return of("export", R"(,"format":"csv","pipeline":)" + pipeline(1));
      default:
        return of("query", where() + order() + keys() + include() + R"(,"limit":)" +
                               std::to_string(1 + below(40)) + R"(,"skip":)" +
                               std::to_string(below(9)));
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  template <std::size_t N>
  std::string one_of(const char* const (&list)[N]) {
    return list[below(N)];
  }
  std::string cls() {
    static constexpr const char* kClasses[] = {
        "users",  "keyed",  "coded",  "both",       "refers",       "pairs",       "made",
        "orders", "people", "sorted", "above",      "notes_words",  "old_terms",   "notes",
        "old",    "boxes",  "pages",  "notes_data", "sqlite_stat1", "old_segments"};
    return one_of(kClasses);
  }
  std::string field() {
    static constexpr const char* kFields[] = {
        "name",  "tenant",   "age",   "doc",  "doc.k", "label",        "weight",   "note",
        "n",     "t",        "owner", "hint", "size",  "title",        "user",     "total",
        "x0",    "objectId", "id",    "a",    "b",     "sessionToken", "password", "doc.password",
        "rowid", "term"};
    return one_of(kFields);
  }
  std::string value() {
    static constexpr const char* kValues[] = {"1",      "3",        "\"t1\"", "\"n2\"",
                                              "\"x3\"", "\"1007\"", "1014",   "null",
                                              "true",   "\"c5\"",   "\"m1\""};
    return one_of(kValues);
  }
  std::string condition() {
    static constexpr const char* kOperators[] = {"$eq", "$ne", "$gt", "$lte", "$exists"};
    const std::string name = "{\"" + field() + "\":";
    if (below(2) == 0) return name + value() + "}";
    return name + "{\"" + one_of(kOperators) + "\":" + value() + "}}";
  }
  std::string where() { return below(2) == 0 ? "" : R"(,"where":)" + condition(); }
  std::string order() {
    return below(2) == 0 ? "" : R"(,"order":")" + std::string(below(2) ? "-" : "") + field() + '"';
  }
  std::string keys() { return below(3) != 0 ? "" : R"(,"keys":[")" + field() + "\"]"; }
  std::string include() { return below(4) != 0 ? "" : R"(,"include":["user","owner"])"; }
  std::string pipeline(int depth) {
    std::string stages;
    for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) {
      stages += (i == 0 ? "" : ",") + stage(depth);
    }
    return "[" + stages + "]";
  }
  std::string stage(int depth) {
    const std::string inner = depth > 0 ? pipeline(depth - 1) : "[]";
    switch (below(9)) {
      case 0:
        return R"({"$match":)" + condition() + "}";
      case 1:
        return R"({"$sort":{")" + field() + "\":" + (below(2) ? "1" : "-1") + "}}";
      case 2:
        return R"({"$limit":)" + std::to_string(1 + below(20)) + "}";
      case 3:
        return R"({"$group":{"_id":"$)" + field() + R"(","first":{"$first":"$)" + field() + "\"}}}";
      case 4:
        return R"({"$lookup":{"from":")" + cls() + R"(","pipeline":)" + inner + R"(,"as":"j"}})";
      case 5:
        return R"({"$lookup":{"from":")" + cls() + R"(","localField":")" + field() +
               R"(","foreignField":")" + field() + R"(","as":"j"}})";
      case 6:
        return R"({"$unionWith":{"coll":")" + cls() + R"(","pipeline":)" + inner + "}}";
      case 7:
        return R"({"$graphLookup":{"from":")" + cls() + R"(","startWith":"$)" + field() +
               R"(","connectFromField":")" + field() + R"(","connectToField":")" + field() +
               R"(","as":"g","maxDepth":1}})";
      default:
        return R"({"$project":{")" + field() + R"(":1,"x":"$)" + field() + "\"}}";
    }
  }
  std::string of(const std::string& op, const std::string& arguments) {
    return R"({"op":")" + op + R"(","args":{"class_name":")" + cls() + '"' + arguments + "}}";
  }

  std::mt19937 random_;
};

class Twin {
 public:
  explicit Twin(unsigned seed) : database_(std::string(kTables) + rows_sql(seed)) {
    auto service = Service::open(database_.path());
    EXPECT_TRUE(service) << service.message();
    service_ = std::move(*service);
  }
  Service& service() { return *service_; }
  void configure(bool refuses) {
    ReadSettings settings;
    settings.expose_explain = true;
    settings.refuse_collscan = refuses;
    service_->configure(settings);
  }
  std::string ask(const std::string& request) {
    auto reply = service_->run(request, {Budget::for_ms(60'000), 1u << 20, nullptr});
    if (reply) return reply->rows + reply->meta;
    const DataError& error = reply.error();
    return "ERROR " + error.code + ": " + error.message + error.details_json +
           error.suggested_rewrite;
  }

 private:
  testing::TestDatabase database_;
  std::unique_ptr<Service> service_;
};

TEST(Twins, NoRequestTellsThemApart) {
  Twin one(1), other(2);
  int answered = 0;
  for (const bool refuses : {false, true}) {
    one.configure(refuses);
    other.configure(refuses);
    Requests requests(refuses ? 99 : 42);
    for (int i = 0; i < 4000; ++i) {
      const std::string request = requests.next();
      const std::string answer = one.ask(request);
      answered += answer.starts_with("ERROR") ? 0 : 1;
      ASSERT_EQ(answer, other.ask(request)) << request;
    }
  }
  EXPECT_GT(answered, 1500) << "most requests must be answered for this to mean anything";
}

TEST(Twins, SubscribersOfBothWouldBeToldTheSame) {
  Twin one(1), other(2);
  std::atomic<bool> stopping{false};
  StoreSource first(one.service(), stopping);
  StoreSource second(other.service(), stopping);
  const auto sight = first.look();
  ASSERT_TRUE(sight);
  EXPECT_EQ(sight->classes, second.look()->classes);
  for (const std::string& cls : sight->classes) {
    for (const ResourcePart part : kResourceParts) {
      const Caller reader{Budget::for_ms(60'000), kDefaultAnswerBytes, nullptr};
      const auto content = read_resource(one.service(), reader, cls, part);
      ASSERT_TRUE(content) << cls;
      const auto same = read_resource(other.service(), reader, cls, part);
      ASSERT_TRUE(same) << cls;
      EXPECT_EQ(*content, *same) << cls << " " << part_name(part);
    }
  }
}

}  // namespace
}  // namespace gantry::data
