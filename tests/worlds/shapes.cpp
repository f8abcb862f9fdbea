#include "shapes.hpp"

namespace gantry::worlds {
namespace {

const std::vector<std::string> kOwnTenant = {"'acme'"};
const std::vector<std::string> kOtherTenants = {"'beta'", "'ACME'", "'acme '", "NULL", "'Acme'"};
const std::vector<std::string> kDates = {"'2026-01-31T23:30:00.000Z'", "'2026-02-01T00:00:00.000Z'",
                                         "'2025-12-31T12:00:00.500Z'", "NULL"};
const std::vector<std::string> kHiddenDates = {"'1901-01-01T00:00:00.000Z'", "'no date'", "7",
                                               "'2099-12-31 10:00'"};
const std::vector<std::string> kFewIds = {"1", "2", "3", "4",  "5",   "6",
                                          "7", "8", "9", "10", "NULL"};
const std::vector<std::string> kSecrets = {"'s3cret'", "'alpha'", "'omega'", "'Xerxes'"};
// Stored JSON, and what other parsers take for it. "@@" is a text that no agent sees.
const std::vector<std::string> kVeiled = {
    R"('{"k":1,"password":"@@"}')",
    R"(' [1,{"_session_token":"@@","k":2}]')",
    R"('{"k":"\ud800","pass\u0077ord":"@@"}')",
    R"('{"password":["@@"],"k":1e999}')",
    R"('{"k":3,"password":"@@')",
    R"('{"k":[4],"password":{"@@":1}} end')",
    "'{password:''@@''}'",
    R"(CAST('{"k":5,"password":"@@"}' AS BLOB))",
    R"(CAST(x'7b2278223a22ff22'||',"password":"@@"}' AS TEXT))"};

std::vector<std::string> with_veiled(std::vector<std::string> others) {
  others.insert(others.end(), kVeiled.begin(), kVeiled.end());
  return others;
}

RowRule tenant_rule() { return {"tenant", kOwnTenant, kOtherTenants}; }

Column column(std::string name, std::string declared, std::vector<std::string> seen,
              std::vector<std::string> hidden) {
  return {std::move(name), std::move(declared), std::move(seen), std::move(hidden)};
}

Column denied(std::string name, std::string declared, const std::vector<std::string>& values) {
  return {std::move(name), std::move(declared), values, values, {}, true};
}

Column pointer(const std::string& name, const std::string& to) {
  return {name, "INTEGER REFERENCES " + to + "(id)", kFewIds, {"11", "12", "17", "29"}, to};
}

// A pointer that the agent may name, to a class that it may not see: its value is hidden.
Column redacted(const std::string& name) {
  return {name, "INTEGER REFERENCES payroll(id)", kFewIds, {"21", "22", "23"}, {}, false, true};
}

}  // namespace

RuleChoice choose_rules(Chance& chance) {
  RuleChoice choice;
  choice.has_identity = !chance.once_in(4);
  choice.has_default_filter = chance.once_in(3);
  choice.has_canonical = chance.once_in(2);
  choice.lists_only = chance.once_in(2);
  choice.differs_in_schema = chance.once_in(2);
  choice.order_filter = static_cast<int>(chance.below(4));
  return choice;
}

OrderFilter order_filter(const RuleChoice& choice) {
  switch (choice.order_filter) {
    case 0:
      return {R"({"total":{"$lt":900}})",
              {"total", {"1.5", "20.0", "899.5"}, {"950.0", "1e300", "NULL"}}};
    case 1:
      return {R"({"status":{"$in":["open","paid","void"]}})",
              {"status", {"'open'", "'paid'", "'void'"}, {"'draft'", "'stolen'", "NULL"}}};
    case 2:
      return {R"({"note":{"$regex":"^[a-y]*$"}})",
              {"note", {"'a'", "'abc'", "'xy'"}, {"'zzz-hidden'", "'A9'", "NULL"}}};
    default:
      return {R"({"$or":[{"status":"special"},{"total":{"$gte":1,"$lt":900}}]})",
              {"total", {"1.5", "20.0", "899.5"}, {"950.0", "0.5"}}};
  }
}

TableSpec customer_spec(const RuleChoice& choice) {
  TableSpec spec{"customer"};
  spec.columns = {column("name", "TEXT", {"'Ada'", "'Bob'", "'ada'", "'Cy'", "''"},
                         {"'Hidden Zed'", "'Hid Qu'"}),
                  column("city", "TEXT COLLATE NOCASE", {"'Bern'", "'Oslo'", "'bern'"},
                         {"'Atlantis'", "'BERN'"}),
                  column("score", "INTEGER", {"1", "2", "3", "10", "NULL"}, {"666", "0", "'odd'"}),
                  column("born", "DATETIME", kDates, kHiddenDates),
                  column("box", "STRING", with_veiled({"'plain'", "NULL"}), {"'hidden box'"}),
                  column("extra", "JSON",
                         with_veiled({R"('{"k":1,"a":[1,2]}')", R"('{"k":2}')", "'[]'", "NULL"}),
                         {R"('{"k":666,"ghostkey":1}')", "'not json'"}),
                  redacted("payroll_id"),
                  denied("tenant", "TEXT COLLATE NOCASE", kOtherTenants),
                  denied("secret", "TEXT", kSecrets),
                  denied("salary", "INTEGER", {"100", "200", "7777"})};
  spec.rules = {tenant_rule()};
  spec.hides_by_id = choice.has_default_filter;
  return spec;
}

TableSpec orders_spec(const RuleChoice& choice) {
  TableSpec spec{"orders"};
  spec.columns = {
      pointer("customer_id", "customer"),
      pointer("parent_id", "orders"),
      redacted("payroll_id"),
      column("status", "TEXT", {"'open'", "'paid'", "'void'"}, {"'draft'", "'stolen'"}),
      column("total", "REAL", {"1.5", "20.0", "899.5"}, {"950.0", "0.5", "'odd'"}),
      column("placed_at", "DATETIME", kDates, kHiddenDates),
      column("note", "TEXT", {"'a'", "'abc'", "'xy'"},
             {"'zzz-hidden'", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'"}),
      column("memo", "TEXT", with_veiled({"'memo'", "''"}), {"'hidden memo'"}),
      column("tags", "JSON", {R"('["a","b"]')", "'[]'", R"('["b"]')"}, {R"('["ghost"]')", "'{'"}),
      denied("acl", "TEXT", {R"('["u1"]')"}),
      denied("cost", "INTEGER", {"31", "41", "59", "2653"}),
      column("tenant", "TEXT", kOwnTenant, kOtherTenants)};
  spec.rules = {tenant_rule(), order_filter(choice).rule};
  const std::vector<std::string> readable = {R"('["u1"]')", R"('["*"]')",
                                             R"('["x","role:seller"]')", R"('["role:employee"]')"};
  const std::vector<std::string> closed = {R"('["u2"]')",
                                           "NULL",
                                           "'[]'",
                                           "'u1'",
                                           R"('"u1"')",
                                           R"('{"u1":1}')",
                                           R"('["U1","role:boss"]')"};
  if (choice.has_identity) spec.rules.push_back({"acl", readable, closed});
  spec.hides_by_id = choice.has_default_filter;
  return spec;
}

TableSpec item_spec(const RuleChoice& choice) {
  TableSpec spec{"item"};
  spec.columns = {pointer("order_id", "orders"),
                  pointer("shelf_id", "shelf"),
                  column("product", "TEXT", {"'pen'", "'ink'", "'Ink'"}, {"'gold'", "x'00ff'"}),
                  column("qty", "INTEGER", {"1", "2", "3"}, {"1", "2"}),
                  column("price", "REAL", {"0.5", "2.0", "NULL"}, {"0.0", "99.25", "'free'"}),
                  denied("hint", "TEXT", kSecrets)};
  spec.rules = {{"qty", {"1", "2", "3"}, {"-1", "0", "NULL", "'none'"}}};
  spec.hides_by_id = choice.has_default_filter;
  return spec;
}

TableSpec note_spec(const RuleChoice& choice) {
  TableSpec spec{"note"};
  spec.columns = {
      column("title", "TEXT", {"'green tea'", "'coffee'", "'tea shop'"},
             {"'tea ghost'", "'phantom'"}),
      column("body", "TEXT", {"'open all day'", "'tea and cake'"}, {"'spectre tea tea'"}),
      denied("tenant", "TEXT", kOtherTenants),
      denied("inner", "TEXT", {"'tea inside'", "'poltergeist'"})};
  spec.rules = {tenant_rule()};
  spec.hides_by_id = choice.has_default_filter;
  return spec;
}

TableSpec person_spec() {
  TableSpec spec{"person"};
  spec.key = "id TEXT PRIMARY KEY";
  spec.quote = "'u";
  spec.rows = 6;
  spec.columns = {column("name", "TEXT", {"'Eve'", "'Fay'"}, {}),
                  denied("phone", "TEXT", {"'555-1'", "'555-2'", "'555-3'"})};
  return spec;
}

TableSpec task_spec(const RuleChoice& choice) {
  TableSpec spec{"task"};
  const std::string owner = "TEXT REFERENCES person(id)";
  spec.columns = {{"owner", owner, {"'u1'", "'u2'"}, {"'u3'"}, "person"},
                  column("title", "TEXT", {"'call'", "'mail'"}, {"'spy'"}),
                  column("due", "DATETIME", kDates, kHiddenDates)};
  if (choice.has_identity) spec.rules = {{"owner", {"'u1'"}, {"'u2'", "'u3'", "'U1'", "NULL"}}};
  spec.hides_by_id = choice.has_default_filter;
  return spec;
}

TableSpec shelf_spec() {
  TableSpec spec{"shelf"};
  spec.rows = 10;
  spec.columns = {column("label", "TEXT", {"'top'", "'low'"}, {})};
  return spec;
}

TableSpec payroll_spec() {
  TableSpec spec{"payroll"};
  spec.columns = {pointer("customer_id", "customer"),
                  column("amount", "INTEGER", {"5000", "6000"}, {"9999"}),
                  column("memo", "TEXT", {"'bonus'"}, {"'fired'"})};
  spec.rules = {{"amount", {"5000"}, {"5000", "6000", "9999"}}};
  return spec;
}

TableSpec vault_spec() {
  TableSpec spec{"vault"};
  spec.columns = {pointer("order_id", "orders"), column("label", "TEXT", {"'gems'"}, {"'crown'"})};
  spec.rules = {{"label", {"'gems'"}, {"'gems'", "'crown'"}}};
  return spec;
}

}  // namespace gantry::worlds
