// The columns, keys and pointers of new classes.
#include <gtest/gtest.h>

#include "files.hpp"

namespace gantry::cli::importing::columns_test {
namespace {

TEST(Import, CsvDecidesItsColumnsOverTheWholeFile) {
  const Folder folder;
  const auto done = import_into(folder, csv(folder,
                                            "id,n,x,flag,day,zip,mixed,none\n"
                                            "1,5,1,true,2024-01-01,01234,7,\n"
                                            "2,,2.5,false,,99999,a,\n"));
  ASSERT_TRUE(done.outcome) << done.outcome.message();
  EXPECT_EQ(done.outcome->taken, 2u);
  EXPECT_EQ(folder.query("SELECT id,n,x,flag,day,zip,mixed,none FROM C ORDER BY 1"),
            "1|5|1.0|1|1704067200000|01234|7|NULL\n2|NULL|2.5|0|NULL|99999|a|NULL");
  EXPECT_EQ(folder.query("SELECT typeof(id),typeof(zip),typeof(mixed) FROM C LIMIT 1"),
            "integer|text|text");
  EXPECT_EQ(folder.query("SELECT strict FROM pragma_table_list WHERE name='C'"), "1");
  EXPECT_EQ(folder.query("SELECT count(*) FROM C WHERE createdAt > 1e12 AND updatedAt > 1e12"),
            "2");
  EXPECT_EQ(folder.query("SELECT count(*) FROM pragma_index_list('C') WHERE origin='c'"), "1");
}

TEST(Import, LargeIntegersBesideFractionsStayText) {
  const Folder folder;
  const auto done =
      import_into(folder, csv(folder, "a,b\n9007199254740993,9007199254740992\n1.5,1.5\n"));
  ASSERT_TRUE(done.outcome) << done.outcome.message() << done.said;
  EXPECT_EQ(folder.query("SELECT a,b,typeof(a),typeof(b) FROM C LIMIT 1"),
            "9007199254740993|9.00719925474099e+15|text|real");
}

TEST(Import, RefusesRowsThatNoTableCanHoldBeforeItCreatesAnything) {
  const Folder folder;
  std::string wide = "{\"a\":0";
  for (int i = 0; i < 2100; ++i) wide += ",\"f" + std::to_string(i) + "\":1";
  EXPECT_NE(import_into(folder, lines(folder, wide + "}")).outcome.message().find("--document"),
            std::string::npos);
  EXPECT_NE(
      import_into(folder, lines(folder, "{\"a\":1,\"A\":2}")).outcome.message().find("capitals"),
      std::string::npos);
  EXPECT_FALSE(import_into(folder, lines(folder, "{\"\":1}")).outcome);
  EXPECT_FALSE(import_into(folder, lines(folder, "{}")).outcome);
  EXPECT_FALSE(std::filesystem::exists(folder.at("a.db")));
  const auto twice = import_into(folder, lines(folder, "{\"a\":1,\"a\":2}"));
  EXPECT_EQ(twice.said, "row 1 (line 1): a: the row has it twice\n");
  EXPECT_FALSE(std::filesystem::exists(folder.at("a.db")));
}

TEST(Import, OptionsDecideIdsAndTypes) {
  const Folder folder;
  Job given = csv(folder, "isbn,pages,raw\n007,5,x\n008,6,\n");
  given.wishes.id = "isbn";
  given.wishes.forms = {{"pages", Form::text}, {"raw", Form::any_json}};
  ASSERT_TRUE(import_into(folder, given).outcome);
  EXPECT_EQ(folder.query("SELECT isbn,typeof(pages),raw FROM C"), "007|text|\"x\"\n008|text|NULL");
  EXPECT_NE(import_into(folder, given).outcome.message().find("there already"), std::string::npos);
  given.name = "D";
  given.wishes.id = "nothing";
  EXPECT_NE(import_into(folder, given).outcome.message().find("no row has"), std::string::npos);
}

TEST(Import, TypesOfIdsAndTimesAreFixed) {
  const Folder folder;
  Job given = csv(folder, "id,createdAt,n\n1,2024-01-01,2\n");
  given.wishes.forms = {{"id", Form::number}};
  EXPECT_NE(import_into(folder, given).outcome.message().find("key, which is text or integer"),
            std::string::npos);
  given.wishes.forms = {{"createdAt", Form::text}};
  EXPECT_NE(import_into(folder, given).outcome.message().find("date in every class"),
            std::string::npos);
  given.wishes.forms = {{"id", Form::text}, {"createdAt", Form::date_ms}};
  EXPECT_TRUE(import_into(folder, given).outcome);
  EXPECT_EQ(folder.query("SELECT typeof(id) FROM C"), "text");
  given.name = "D";
  given.wishes = Wishes();
  given.wishes.id = "createdAt";
  EXPECT_NE(import_into(folder, given).outcome.message().find("date in every class"),
            std::string::npos);
  Job parse = lines(folder, R"({"objectId":1})");
  parse.name = "P";
  parse.wishes.forms = {{"objectId", Form::integer}};
  EXPECT_NE(import_into(folder, parse).outcome.message().find("key, which is text"),
            std::string::npos);
}

TEST(Import, KeysKeepTheirNamesAndIntegers) {
  const Folder folder;
  struct Case {
    const char *name, *header, *first, *second, *key;
  };
  for (const Case& one :
       {Case{"Ints", "id", "7", "-8", "id|INTEGER"}, Case{"Texts", "_id", "007", "8", "_id|TEXT"},
        Case{"Wide", "id", "99999999999999999999", "8", "id|TEXT"},
        Case{"Own", "objectId", "7", "8", "objectId|TEXT"},
        Case{"None", "n", "7", "8", "objectId|TEXT"}}) {
    Job given = csv(folder, std::string(one.header) + "\n" + one.first + "\n" + one.second + "\n");
    given.name = one.name;
    ASSERT_TRUE(import_into(folder, given).outcome) << one.name;
    EXPECT_EQ(folder.query(std::string("SELECT name,type FROM pragma_table_info('") + one.name +
                           "') WHERE pk = 1"),
              one.key);
  }
  Job more = lines(folder, "{\"n\":1}\n{\"id\":7}\n");
  more.name = "Ints";
  more.skip_unknown = more.skip_invalid = true;
  const auto done = import_into(folder, more);
  ASSERT_TRUE(done.outcome) << done.outcome.message();
  EXPECT_EQ(folder.query("SELECT group_concat(id,' ') FROM (SELECT id FROM Ints ORDER BY id)"),
            "-8 7 8");
  EXPECT_NE(done.said.find("there already"), std::string::npos) << done.said;
}

TEST(Import, PointersAreFieldsThatTheOperatorNames) {
  const Folder folder;
  Job customers = csv(folder, "id,name\n1,Ada\n2,Bob\n");
  customers.name = "customers";
  ASSERT_TRUE(import_into(folder, customers).outcome);
  Job orders = csv(folder, "id,customer_id,part_of\n10,1,\n11,2,10\n12,,\n");
  orders.name = "orders";
  orders.wishes.pointers = {{"customer_id", "customers"}, {"part_of", "orders"}};
  const auto done = import_into(folder, orders);
  ASSERT_TRUE(done.outcome) << done.outcome.message() << done.said;
  EXPECT_EQ(folder.query("SELECT \"from\",\"table\",\"to\" FROM pragma_foreign_key_list('orders')"
                         " ORDER BY 1"),
            "customer_id|customers|id\npart_of|orders|id");
  EXPECT_EQ(folder.query("SELECT o.id,c.name,typeof(part_of) FROM orders o LEFT JOIN customers c "
                         "ON c.id = customer_id ORDER BY 1"),
            "10|Ada|null\n11|Bob|integer\n12|NULL|null");
  const auto refused = [&](const std::string& field, const std::string& target) {
    Job job = csv(folder, "id,customer_id\n10,1\n");
    job.name = "others";
    job.wishes.pointers = {{field, target}};
    return import_into(folder, job).outcome.message();
  };
  EXPECT_NE(refused("customer_id", "clients").find("no class clients"), std::string::npos);
  EXPECT_NE(refused("customer", "customers").find("no row has that field"), std::string::npos);
  EXPECT_NE(refused("id", "customers").find("is the key"), std::string::npos);
  orders.wishes.pointers.erase("part_of");
  EXPECT_NE(import_into(folder, orders).outcome.message().find("--pointer are for new classes"),
            std::string::npos);
}

TEST(Import, SaysWhichRowMadeAColumnText) {
  const Folder folder;
  const auto done =
      import_into(folder, csv(folder,
                              "age,born,name,code\n1,2020-01-01,Ada,1\n"
                              "2,2020-01-02,Bob,x\n3,soon,Cy,y\nn/a,2020-01-03,4,2\n"));
  ASSERT_TRUE(done.outcome) << done.outcome.message();
  EXPECT_EQ(done.outcome->remarks,
            (std::vector<std::string>{
                "age is text because of row 4 (line 5): \"n/a\" is no integer. --type age=integer "
                "refuses such rows.",
                "born is text because of row 3 (line 4): \"soon\" is no date. --type born=date "
                "refuses such rows."}));
}

TEST(Import, PointersToClassesThatCannotBeAreRefused) {
  const Folder folder;
  for (const char* target : {"a\\nb", "x\\u0000", "sqlite_master"}) {
    Job given = lines(folder, std::string(R"({"p":{"__type":"Pointer","className":")") + target +
                                  R"(","objectId":"x"}})");
    const auto done = import_into(folder, given);
    EXPECT_EQ(done.outcome.status().code(), GANTRY_INVALID_ARGUMENT) << target;
    EXPECT_NE(done.outcome.message().find("--type p=json"), std::string::npos) << target;
    EXPECT_FALSE(std::filesystem::exists(folder.at("a.db")));
    given.wishes.forms = {{"p", Form::any_json}};
    given.name = "C" + std::to_string(std::string(target).size());
    EXPECT_TRUE(import_into(folder, given).outcome) << target;
    std::filesystem::remove(folder.at("a.db"));
  }
}

}  // namespace
}  // namespace gantry::cli::importing::columns_test
