// $select and $dontSelect of columns whose values are keys inside documents of another class.
#include <gmock/gmock.h>

#include "ops/tests/ruled_database.hpp"

namespace gantry::data::document_keys_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class DocumentKeys : public RuledDatabase {
 protected:
  void SetUp() override {
    make_ruled(R"sql(
      CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, n INTEGER, at DATETIME, ok BOOLEAN);
      CREATE TABLE docs(doc TEXT);
      INSERT INTO t VALUES(1,'Ann',9007199254740993,'1969-12-31T23:59:59.000Z',1),
        (2,'Bob',2,'2024-01-01T00:00:00.000Z',0),(3,NULL,NULL,NULL,NULL),(4,'7',7,NULL,1);
      INSERT INTO docs VALUES('{"_id":1,"who":"Ann","n":9007199254740993,"ok":true,"live":true}'),
        ('{"_id":2,"who":["Bob","Cid"],"at":{"$date":"1969-12-31T23:59:59Z"},"live":true}'),
        ('{"_id":3,"who":7,"n":"2","live":true}'),('{"_id":4,"who":null}'),
        ('{"_id":5,"who":"7","hush":1}');)sql",
               {R"({"class":"docs","table":"docs","document":"doc","agent_fields":["who","n","at",
                    "ok","live"]})"});
  }
  // The ids of the rows, or the error.
  std::string found(const std::string& field, const std::string& op, const std::string& key,
                    const std::string& where = "{}") {
    const std::string answer =
        ask("query", R"({"class_name":"t","keys":["id"],"order":"id","where":{")" + field +
                         R"(":{")" + op + R"(":{"query":{"className":"docs","where":)" + where +
                         R"(},"key":")" + key + R"("}}}})");
    return answer.substr(0, answer.find(R"({"result_count")"));
  }
};

TEST_F(DocumentKeys, AreEqualByValueAndType) {
  EXPECT_EQ(found("name", "$select", "who", R"({"live":true})"), R"([{"id":1}])")
      << "an array is a value, not its elements";
  EXPECT_EQ(found("name", "$select", "who"), R"([{"id":1},{"id":4}])");
  EXPECT_EQ(found("n", "$select", "n"), R"([{"id":1}])") << "to the last digit, and no text";
  EXPECT_EQ(found("n", "$select", "who"), R"([{"id":4}])");
  EXPECT_EQ(found("at", "$select", "at"), R"([{"id":1}])") << "before 1970";
  EXPECT_EQ(found("ok", "$select", "ok"), R"([{"id":1},{"id":4}])");
}

TEST_F(DocumentKeys, OfNoDocumentAreNone) {
  EXPECT_EQ(found("name", "$select", "who", R"({"live":"never"})"), "[]");
  EXPECT_EQ(found("name", "$dontSelect", "who", R"({"live":"never"})"),
            R"([{"id":1},{"id":2},{"id":3},{"id":4}])");
}

TEST_F(DocumentKeys, LeaveOutWhatTheyNameAndKeepNull) {
  EXPECT_EQ(found("name", "$dontSelect", "who", R"({"who":"Ann"})"),
            R"([{"id":2},{"id":3},{"id":4}])");
  EXPECT_EQ(found("n", "$dontSelect", "n"), R"([{"id":2},{"id":3},{"id":4}])");
}

TEST_F(DocumentKeys, AreReadUnderTheRulesOfTheDocuments) {
  EXPECT_THAT(found("name", "$select", "hush"),
              AllOf(StartsWith("ERROR access_denied"), HasSubstr("'hush'")));
  EXPECT_THAT(found("name", "$select", "who", R"({"hush":1})"),
              AllOf(StartsWith("ERROR access_denied"), HasSubstr("'hush'")));
  act_as(R"("filters":[{"docs":{"live":true}}])");
  EXPECT_EQ(found("name", "$select", "who"), R"([{"id":1}])");
  act_as(R"("classes":{"except":["docs"]})");
  EXPECT_THAT(found("name", "$select", "who"), StartsWith("ERROR access_denied"));
}

}  // namespace
}  // namespace gantry::data::document_keys_test
