// Which pointers are read as dates: those whose every value, as the key's, has one form of a date.
#include "tests/test_database.hpp"
#include "view/scope.hpp"

namespace gantry::data::pointer_date_test {
namespace {

// The form in which a pointer to a key of dates is read; `key` and `pointer`: a declared type and
// values in SQL.
struct Side {
  std::string type, values;
};
DateForm form_of_pointer(const Side& key, const Side& pointer, const RulesPtr& rules = nullptr) {
  const testing::TestDatabase db(
      "CREATE TABLE days(day " + key.type + " PRIMARY KEY); INSERT INTO days VALUES" + key.values +
      "; CREATE TABLE facts(day " + pointer.type +
      " REFERENCES days(day)); INSERT INTO facts VALUES" + pointer.values);
  const auto store = db.open();
  const Scope scope(*store->catalog(), rules);
  const FieldView& field = *scope.open("facts")->find("day");
  EXPECT_EQ(field.form.points_to_date(), field.date_form != DateForm::none);
  EXPECT_EQ(field.key_kind == Kind::date, field.date_form != DateForm::none);
  EXPECT_EQ(field.iso_shape.empty(), field.date_form != DateForm::iso_text);
  return field.date_form;
}

TEST(PointerDate, APointerIsReadAsTheDateThatItsKeyIs) {
  const Side days{"DATE", "('2026-01-01'),('2026-01-02')"}, seconds{"TIMESTAMP", "(1767225600)"};
  EXPECT_EQ(form_of_pointer(days, {"DATE", "('2026-01-01')"}), DateForm::iso_text);
  EXPECT_EQ(form_of_pointer(days, {"TEXT", "('2026-01-01'),(NULL)"}), DateForm::iso_text);
  EXPECT_EQ(form_of_pointer(days, {"TEXT", "(NULL)"}), DateForm::iso_text) << "as the key has it";
  EXPECT_EQ(form_of_pointer({"TEXT", "('2026-01-01')"}, {"TEXT", "('2026-01-01')"}),
            DateForm::iso_text);
  EXPECT_EQ(form_of_pointer(seconds, {"INT", "(1767225600)"}), DateForm::epoch_seconds);
  EXPECT_EQ(form_of_pointer(seconds, {"INT", "(NULL)"}), DateForm::epoch_seconds);
}

TEST(PointerDate, APointerWhoseDatesWouldBeTakenForOthersIsNotReadAsDates) {
  const auto expect_none = [](const Side& key, const Side& pointer) {
    EXPECT_EQ(form_of_pointer(key, pointer), DateForm::none) << key.values << pointer.values;
  };
  expect_none({"DATETIME", "('2026-01-01 10:00:00.123456')"},
              {"DATETIME", "('2026-01-01 10:00:00.123456')"});
  expect_none({"DATE", "('2026-01-01'),('2026-01-01 00:00:00')"}, {"DATE", "('2026-01-01')"});
  expect_none({"DATE", "('2026-01-01')"}, {"DATE", "('2026-01-01'),('2026-01-01 00:00:00')"});
  expect_none({"DATETIME", "('2026-01-01T10:00:00+02:00')"},
              {"DATETIME", "('2026-01-01T10:00:00+02:00')"});
  expect_none({"DATETIME", "('2026-01-01T10:00:00+02:00'),('2026-01-01T09:00:00+01:00')"},
              {"DATETIME", "(NULL)"});
  expect_none({"TIMESTAMP", "(1767225600.5)"}, {"TIMESTAMP", "(1767225600.5)"});
  expect_none({"DATE", "(2461042.5)"}, {"DATE", "(2461042.5)"});
  expect_none({"TIMESTAMP", "(1767225600)"}, {"TEXT", "('2026-01-01')"});
  expect_none({"TEXT", "('soon')"}, {"TEXT", "('2026-01-01')"});
}

TEST(PointerDate, WhereRulesDecideAboutRowsNoSampleTellsTheForm) {
  for (const char* ruled : {"days", "facts"}) {
    auto agent = parse_agent_scope(R"({"filters":[{")" + std::string(ruled) +
                                   R"(":{"day":{"$exists":true}}}],"fingerprint":"f"})");
    ASSERT_TRUE(agent) << agent.message();
    EXPECT_EQ(form_of_pointer({"DATE", "('2026-01-01')"}, {"DATE", "('2026-01-01')"},
                              std::make_shared<const Rules>(std::move(*agent))),
              DateForm::none)
        << ruled;
  }
}

}  // namespace
}  // namespace gantry::data::pointer_date_test
