// What the host's audit record holds of a statement: its shape and its classes, no literal.
#include <gtest/gtest.h>

#include "ops/sql/tests/sql_shop.hpp"
#include "statement/audit_text.hpp"

namespace gantry::data {
namespace {

class SqlAudit : public SqlShop {
 protected:
  std::string note(const std::string& text) {
    const auto reply = service_->run(R"({"op":"sql","args":{"sql":)" + quoted(text) + "}}",
                                     {Budget::for_ms(60'000), 4u << 20, rules_});
    return reply ? reply->audit_note : reply.error().audit_note;
  }
};

TEST_F(SqlAudit, HoldsTheShapeAndTheClasses) {
  EXPECT_EQ(note("SELECT customer FROM orders o JOIN teams t ON t.id = o.team_id WHERE o.customer "
                 "= 'Ada' AND amount > 12.5 -- for Ada"),
            R"({"sql":"SELECT customer FROM orders o JOIN teams t ON t.id = o.team_id WHERE )"
            R"(o.customer = ? AND amount > ?","classes":["orders","teams"]})");
  EXPECT_EQ(note("SELECT 1"), R"({"sql":"SELECT ?","classes":[]})");
  EXPECT_EQ(note(R"(SELECT "customer" FROM [orders] WHERE id = 1)"),
            R"({"sql":"SELECT \"customer\" FROM [orders] WHERE id = ?","classes":["orders"]})");
}

TEST_F(SqlAudit, OfARefusedStatementToo) {
  EXPECT_EQ(note("SELECT nme FROM teams WHERE name = 'Ada'"),
            R"({"sql":"SELECT nme FROM teams WHERE name = ?","classes":["teams"]})");
  EXPECT_EQ(note("DELETE FROM orders WHERE customer = 'Ada'"),
            R"({"sql":"DELETE FROM orders WHERE customer = ?","classes":[]})");
  EXPECT_EQ(note("SELECT id FROM orders WHERE customer = \"Ada\"").find("Ada"), std::string::npos);
}

TEST_F(SqlAudit, OfAKeptAnswerToo) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(note("SELECT id FROM teams WHERE id = 7"),
              R"({"sql":"SELECT id FROM teams WHERE id = ?","classes":["teams"]})");
  }
  EXPECT_GT(service_->answers().found(), 0u);
}

TEST(AuditText, HasNoLiteralOfAnyForm) {
  const std::vector<std::string_view> names = {"orders", "my field"};
  const std::pair<const char*, const char*> cases[] = {
      {"SELECT 12.50, .5, 1e-5, 0xFF, x'AB', 'it''s', ?3, :name",
       "SELECT ?, ?, ?-?, ?, ?, ?, ?3, :name"},
      {"SELECT\n\n*   FROM /* 'secret' */ orders -- secret", "SELECT * FROM orders"},
      {"SELECT \"My Field\", `other`, [third one] FROM 'orders'",
       "SELECT \"My Field\", ?, ? FROM ?"},
      {"SELECT o.id, o.5 FROM orders o", "SELECT o.id, o? FROM orders o"},
      {"SELECT 'never closed", "SELECT ?"},
      {"", ""}};
  for (const auto& [sql, text] : cases) EXPECT_EQ(audit_text(sql, names), text) << sql;
}

TEST(AuditText, IsShort) {
  std::string sql = "SELECT ";
  for (int i = 0; i < 1000; ++i) sql += "öö, ";
  const std::string text = audit_text(sql, {});
  EXPECT_LE(text.size(), 1503u);
  EXPECT_TRUE(text.ends_with("…"));
  EXPECT_FALSE(audit_text("SELECT " + std::string(1493, 'a'), {}).ends_with("…"));
}

}  // namespace
}  // namespace gantry::data
