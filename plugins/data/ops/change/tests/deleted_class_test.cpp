// When a class is deleted, and when not.
#include "ops/change/tests/recorded_database.hpp"

namespace gantry::data {
namespace {

using ::testing::HasSubstr;

constexpr const char* kItems = R"(
  CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT UNIQUE, stock INTEGER);
  CREATE TABLE parents(id TEXT PRIMARY KEY, child TEXT REFERENCES parents(id)
    DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO items VALUES(1,'a',1),(2,'b',2),(3,'c',3);
)";

class DeletedClassTest : public RecordedDatabase {
 protected:
  void SetUp() override {
    RecordedDatabase::SetUp();
    make_recorded(kItems);
  }
};

TEST_F(DeletedClassTest, AClassIsNotDeletedIfAnyForeignKeyOfAnotherTableRefersToIt) {
  run_sql(R"(
    CREATE TABLE pairs(a, b, PRIMARY KEY(a,b));
    CREATE TABLE of_pairs(id INTEGER PRIMARY KEY, a, b,
      FOREIGN KEY(a,b) REFERENCES Pairs ON DELETE CASCADE);
    CREATE TABLE coded(id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE _gantry_of_coded(id INTEGER PRIMARY KEY, code TEXT REFERENCES coded(code));
    INSERT INTO pairs VALUES(1,2); INSERT INTO of_pairs VALUES(1,1,2);)");
  for (const char* name : {"pairs", "coded"}) {
    EXPECT_EQ(ask("delete_class", R"({"class_name":")" + std::string(name) + "\"}"),
              "ERROR invalid_argument: Objects of class '" + std::string(name) +
                  "' cannot be written: other classes refer to the class. Delete those first.");
  }
  EXPECT_EQ(sql("SELECT count(*) FROM of_pairs"), "1");
  EXPECT_THAT(ask("delete_class", R"({"class_name":"parents"})"), HasSubstr(R"("deleted":true)"))
      << "it refers to itself alone";
}

TEST_F(DeletedClassTest, AClassWithTriggersIsDeletedWithThem) {
  run_sql(R"(CREATE TRIGGER t1 AFTER INSERT ON items BEGIN SELECT 1; END;
    CREATE TRIGGER t2 BEFORE DELETE ON items BEGIN SELECT RAISE(ABORT,'no'); END;)");
  EXPECT_THAT(ask("delete_class", R"({"class_name":"items"})"), HasSubstr(R"("rows":3)"));
  EXPECT_EQ(sql("SELECT count(*) FROM sqlite_schema WHERE tbl_name='items'"), "0");
}

TEST_F(DeletedClassTest, APreviewedDeletionOfAClassIsRefusedIfTheClassChangedSince) {
  run_sql(R"(CREATE TABLE docs(doc TEXT); INSERT INTO docs VALUES('{"a":1}'),('no document');)");
  std::ofstream(model_ / "docs.json") << R"({"class":"docs","table":"docs","document":"doc"})";
  open({});
  const auto expecting = [this](const std::string& cls) {
    const std::string args = R"({"class_name":")" + cls + '"';
    const auto versions = text_in(ask("delete_class", args + R"(,"dry_run":true})"), "versions");
    EXPECT_FALSE(versions.empty()) << cls;
    return args + R"(,"expect":)" + quoted(versions) + "}";
  };
  const struct {
    const char *cls, *change;
  } cases[] = {{"items", "UPDATE items SET stock = 9 WHERE id = 2"},
               {"items", "UPDATE items SET name = NULL WHERE id = 2"},
               {"items", "UPDATE items SET id = 8 WHERE id = 3"},
               {"items", "DELETE FROM items WHERE id = 2; INSERT INTO items(id) VALUES(4)"},
               {"items", "ALTER TABLE items ADD COLUMN more TEXT"},
               {"items", "CREATE INDEX by_stock ON items(stock)"},
               {"docs", "UPDATE docs SET doc = '{\"a\":2}' WHERE rowid = 1"},
               {"docs", "UPDATE docs SET doc = 'none either' WHERE rowid = 2"}};
  for (const auto& [cls, change] : cases) {
    const std::string planned = expecting(cls);
    run_sql(change);
    EXPECT_EQ(ask("delete_class", planned),
              "ERROR invalid_argument: Nothing was written: class '" + std::string(cls) +
                  "' is not as it was shown. Preview the call again and decide anew.")
        << change;
    EXPECT_THAT(details_, HasSubstr(R"("kind":"changed_since")"));
  }
  run_sql("CREATE TABLE elsewhere(a)");
  for (const char* cls : {"items", "docs"}) {
    const std::string planned = expecting(cls);
    run_sql("INSERT INTO elsewhere VALUES(1)");
    EXPECT_THAT(ask("delete_class", planned), HasSubstr(R"("deleted":true)"));
  }
}

}  // namespace
}  // namespace gantry::data
