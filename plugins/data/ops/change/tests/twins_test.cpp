// Two worlds that differ in what the agent may not see alone: other tenants' rows, hidden fields
// and classes. The same writes must have the same answers and errors, byte for byte. Keys that the
// database numbers are kept equal, and no hidden row refers to a visible one: the database counts
// both, which cannot be ruled away.
#include <random>

#include "ops/change/tests/written_database.hpp"

namespace gantry::data {
namespace {

constexpr const char* kTwin = R"(
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, tenant TEXT, salary INTEGER);
  CREATE TABLE orders(code TEXT PRIMARY KEY, total INTEGER, secret TEXT, tags JSON,
    customer_id INTEGER REFERENCES customers(id), tenant TEXT, acl TEXT, updated_at TEXT);
  CREATE TABLE payroll(id INTEGER PRIMARY KEY, amount INTEGER);
  CREATE TABLE boxes(code TEXT PRIMARY KEY, payroll_id INTEGER REFERENCES payroll(id), label TEXT);
  CREATE TABLE docs(doc TEXT NOT NULL);
  INSERT INTO customers VALUES(1,'Ann','acme',1),(2,'Cy','acme',2),(900,'Zed','umbra',3);
  INSERT INTO orders(code,total,tags,customer_id,tenant,acl) VALUES
    ('o1',1,'[1,{"__type":"Pointer","className":"payroll","objectId":"1"}]',1,'acme','["u1"]'),('o2',2,'{"a":1}',2,'acme','["*"]');
  INSERT INTO boxes VALUES('b1',NULL,'x');
  INSERT INTO docs VALUES('{"_id":"d1","tenant":"acme","a":1}');
)";
// What the second world has besides.
constexpr const char* kOther = R"(
  INSERT INTO customers VALUES(3,'Bob','umbra',20),(4,'Eve',NULL,30);
  INSERT INTO orders(code,total,tags,customer_id,tenant,acl) VALUES
    ('h1',100,'[7]',3,'umbra','["*"]'),('h2',200,NULL,3,'acme','["u2"]'),('h3',1,NULL,3,NULL,NULL);
  UPDATE orders SET secret='hush' WHERE code='o1';
  UPDATE orders SET tags=replace(tags,'"1"','"2"') WHERE code='o1';
  UPDATE customers SET salary=77;
  INSERT INTO payroll VALUES(1,5),(2,6);
  UPDATE boxes SET payroll_id=NULL;
  INSERT INTO docs VALUES('{"_id":"h1","tenant":"umbra","a":2}'),('{"_id":"h2","a":3}');
)";
const char* const kTwinModel[] = {
    R"({"class":"orders","table":"orders","agent_fields":["code","total","tags","customer_id"],
        "tenant_scope":{"field":"tenant"},"acl":{"read":"acl","write":"acl"}})",
    R"({"class":"customers","table":"customers","protected_fields":{"*":["salary"]},
        "tenant_scope":{"field":"tenant"}})",
    R"({"class":"payroll","table":"payroll","hidden":true})",
    R"({"class":"docs","table":"docs","document":"doc","agent_fields":["a","b"],
        "tenant_scope":{"field":"tenant"}})"};

class World : public WrittenDatabase {
 public:
  void TestBody() override {}
  void start(const std::string& text, const std::string& name) {
    WrittenDatabase::SetUp();
    name_ = name;
    make_ruled(text.c_str(), {std::begin(kTwinModel), std::end(kTwinModel)});
    act_as(R"("user":"u1","roles":["seller"],"tenant_id":"acme")");
  }
  void end() { TearDown(); }
  std::string answer(const std::string& op, const std::string& args) {
    details_.clear();
    std::string text = ask(op, args);
    return text + details_;
  }
};

class Draws {
 public:
  std::string pick(std::initializer_list<const char*> texts) {
    return texts.begin()[random_() % texts.size()];
  }
  bool chance() { return random_() % 2 == 0; }

  std::string value() {
    return pick(
        {"1", "2", "3", "4", "77", "900", "null", "\"hush\"", "\"h1\"", "[7]", "{\"a\":1}", "1.5",
         R"({"__op":"Increment","amount":1})", R"({"__op":"AddUnique","objects":[7]})",
         R"({"__op":"Remove","objects":[{"__type":"Pointer","className":"payroll","objectId":"1"}]})",
         R"({"__op":"AddUnique","objects":[{"__type":"Pointer","className":"payroll","objectId":"2"}]})",
         R"({"__type":"Pointer","className":"customers","objectId":"3"})",
         R"({"__type":"Pointer","className":"payroll","objectId":"1"})"});
  }
  std::string data() {
    std::string json = "{";
    do {
      if (json.size() > 1) json += ',';
      json += '"' +
              pick({"total", "tags", "customer_id", "secret", "tenant", "acl", "salary", "name",
                    "payroll_id", "label", "a", "b", "absent", "code"}) +
              "\":" + value();
    } while (chance());
    return json + "}";
  }
  // Of the class's own visible fields: mostly fine.
  std::string fitting(const std::string& cls, bool is_create) {
    if (cls == "orders") {
      const std::string field = pick({R"("total":3)", R"("tags":[7])", R"("customer_id":1)",
                                      R"("total":{"__op":"Increment","amount":1})",
                                      R"("customer_id":3)", R"("customer_id":77)"});
      return is_create ? R"({"code":"o2",)" + field + "}" : "{" + field + "}";
    }
    if (cls == "boxes") return is_create ? R"({"code":"b1"})" : R"({"label":"l"})";
    if (cls == "docs") return is_create ? R"({"_id":"d1","a":1})" : R"({"b":[1,2]})";
    return R"({"name":"n"})";
  }
  std::string id_of(const std::string& cls) {
    if (chance()) return pick({"h1", "h2", "h3", "3", "4", "none"});
    if (cls == "orders") return pick({"o1", "o2"});
    if (cls == "boxes") return "b1";
    return cls == "docs" ? "d1" : pick({"1", "2"});
  }
  // {op, args}
  std::pair<std::string, std::string> write() {
    const std::string op = pick({"create", "update", "update", "update", "delete", "create_class"});
    const std::string cls =
        pick({"orders", "orders", "customers", "boxes", "docs", "payroll", "absent"});
    if (op == "create_class") {
      return {op, R"({"class_name":")" + cls + R"(","fields":{"a":"Text"}})"};
    }
    std::string args = R"({"class_name":")" + cls + '"';
    if (op != "create") args += R"(,"object_id":")" + id_of(cls) + '"';
    if (op != "delete") args += R"(,"data":)" + (chance() ? data() : fitting(cls, op == "create"));
    const bool is_dry = op != "create" && chance();
    return {op, args + (is_dry ? R"(,"dry_run":true})" : "}")};
  }

 private:
  std::mt19937_64 random_{56};
};

// Ids that the server makes are random.
std::string without_ids(std::string text) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_hex = i < text.size() && std::isxdigit(static_cast<unsigned char>(text[i]));
    if (is_hex) {
      ++digits;
    } else {
      if (digits == 24) text.replace(i - 24, 24, 24, 'i');
      digits = 0;
    }
  }
  return text;
}

TEST(WriteTwins, HiddenDataHasNoPartInAnyAnswerToAWrite) {
  if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 1);
  World one, two;
  one.start(kTwin, "1");
  const std::string other = std::string(kTwin) + kOther;
  two.start(other, "2");
  Draws draws;
  int written = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto [op, args] = draws.write();
    const std::string answer = without_ids(one.answer(op, args));
    ASSERT_EQ(answer, without_ids(two.answer(op, args))) << i << " " << op << " " << args;
    written += answer.starts_with("ERROR") ? 0 : 1;
  }
  EXPECT_GT(written, 200);
  for (World* world : {&one, &two}) world->end();
}

}  // namespace
}  // namespace gantry::data
