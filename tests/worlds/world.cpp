#include "world.hpp"

#include <algorithm>
#include <functional>
#include <iomanip>
#include <sstream>

#include "shapes.hpp"

namespace gantry::worlds {
namespace {

constexpr const char* kViewFields = "id,status,total,note,placed_at";

// The view over orders, and the same over a database without the columns of its rules.
std::string view_sql(bool visible_only) {
  return std::string("CREATE VIEW v_orders AS SELECT ") + kViewFields +
         (visible_only ? "" : ",tenant,acl,payroll_id") + " FROM orders;\n";
}

std::string text_index_sql() {
  return "CREATE VIRTUAL TABLE note_words USING fts5(title, body, content='note',"
         "content_rowid='id');\n"
         "INSERT INTO note_words(note_words) VALUES('rebuild');\n";
}

std::string inner_index_sql() {
  return "CREATE VIRTUAL TABLE note_inner USING fts5(inner, content='note',"
         "content_rowid='id');\n"
         "INSERT INTO note_inner(note_inner) VALUES('rebuild');\n";
}

ClassWords view_words(const ClassWords& orders) {
  ClassWords words = orders;
  words.name = "v_orders";
  words.fields = {"id", "status", "total", "note", "placed_at"};
  words.points.clear();
  words.denied = {"tenant", "acl", "payroll_id"};
  words.has_tenant = true;
  return words;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "\"" : ",\"") + name + "\"";
  return "[" + list + "]";
}

std::string class_file(const std::string& name, const std::string& more) {
  return R"({"class":")" + name + "\"" + more + "}";
}

constexpr const char* kTenant = R"(,"tenant_scope":{"field":"tenant"})";

std::string allowlist(std::vector<std::string> fields) {
  return R"(,"agent_fields":)" + quoted_list(fields);
}

constexpr const char* kJoinFields = R"(,"agent_join_fields":["name","city"])";

std::string canonical(const RuleChoice& choice) {
  return choice.has_canonical ? R"(,"canonical_filter":{"status":{"$ne":"void"}})" : "";
}

// How classes are stored, and what shapes answers without hiding rows from any agent.
ModelFiles bare_model() {
  return {{"doc", class_file("doc", R"(,"document":"d")")},
          {"v_orders", class_file("v_orders", R"(,"id_field":"id")")}};
}

ModelFiles shaped_model(const RuleChoice& choice) {
  ModelFiles files = bare_model();
  files["customer"] = class_file("customer", kJoinFields);
  files["orders"] = class_file("orders", canonical(choice));
  return files;
}

ModelFiles rules_of(const RuleChoice& choice, const Words& words) {
  ModelFiles files;
  const auto fields = [&](const char* name) { return allowlist(words.find(name)->fields); };
  files["customer"] = class_file("customer", kTenant + fields("customer") + kJoinFields);
  const std::string acl = R"(,"acl":{"read":"acl"})";
  const std::string protection =
      choice.has_identity
          ? R"(,"protected_fields":{"*":["cost","acl"],"role:seller":["cost","acl"]})"
          : fields("orders");
  files["orders"] = class_file("orders", kTenant + acl + canonical(choice) + protection);
  files["v_orders"] = class_file(
      "v_orders", R"(,"id_field":"id")" + std::string(kTenant) + acl + fields("v_orders"));
  files["item"] = class_file("item", fields("item"));
  files["note"] = class_file("note", kTenant + fields("note"));
  files["person"] = class_file("person", fields("person"));
  files["doc"] = class_file("doc", R"(,"document":"d")" + std::string(kTenant) + fields("doc"));
  files["payroll"] = class_file("payroll", R"(,"hidden":true)");
  files["task"] = class_file(
      "task", R"(,"class_permissions":{"find":["field:owner"],"get":["field:owner"],)"
              R"("count":["field:owner"],"create":["field:owner"],"update":["field:owner"],)"
              R"("delete":["field:owner"]})");
  return files;
}

std::string fingerprint(const std::string& text) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << std::hash<std::string>()(text);
  return out.str().substr(0, 16);
}

std::string with_fingerprint(const std::string& scope) {
  return "{" + scope + R"(,"fingerprint":")" + fingerprint(scope) + "\"}";
}

std::string agent_scope(const RuleChoice& choice) {
  std::string scope = R"("agent":"twin","depth":0,"permissions":"readonly","tenant_id":"acme")";
  if (choice.has_identity) scope += R"(,"user":"u1","roles":["seller","employee"])";
  scope += choice.lists_only
               ? R"(,"classes":{"only":["customer","orders","item","note","doc","person","task",)"
                 R"("shelf","v_orders"]})"
               : R"(,"classes":{"except":["vault"]})";
  const std::string filter = order_filter(choice).json;
  scope += R"(,"filters":[{"orders":)" + filter + R"(,"v_orders":)" + filter +
           R"(,"item":{"qty":{"$gt":0}}})";
  if (choice.has_default_filter) {
    scope += R"(,{"default":{"id":{"$nin":[13,26]}}})";
  }
  return with_fingerprint(scope + R"(],"agent_debug":false)");
}

// Another tenant's master, with another class list.
std::string other_scope() {
  return with_fingerprint(
      R"("agent":"other","depth":0,"permissions":"readonly","tenant_id":"beta",)"
      R"("agent_debug":false)");
}

// Its visible rows without the columns that the agent may not name, and without pointers to the
// hidden class.
std::string without_rules(const Table& table) {
  TableSpec spec = table.spec;
  for (Column& column : spec.columns) {
    const auto target = column.declared.find(" REFERENCES payroll");
    if (target != std::string::npos) column.declared.resize(target);
  }
  return create_sql(spec, true) + insert_sql(spec, table.one, true);
}

void add_table(Twins& twins, const Table& table, const RuleChoice& choice, bool is_hidden) {
  const bool only_in_other = table.spec.name == "vault" && choice.differs_in_schema;
  const std::string create = create_sql(table.spec);
  if (!only_in_other) twins.one += create + insert_sql(table.spec, table.one);
  twins.other += create + insert_sql(table.spec, table.other);
  if (is_hidden) {
    twins.words.hidden_classes.push_back(table.spec.name);
    return;
  }
  twins.visible_only += without_rules(table);
  twins.words.classes.push_back(words_of(table));
  for (const RowRule& rule : table.spec.rules) {
    if (rule.column == "tenant") twins.words.classes.back().has_tenant = true;
  }
}

void add_indexes(Twins& twins, Chance& chance, bool differs) {
  const std::string always =
      "CREATE INDEX person_phone ON person(phone);\n"
      "CREATE INDEX orders_status ON orders(status, cost);\n"
      "CREATE INDEX orders_note ON orders(note);\n"
      "CREATE INDEX item_price ON item(price);\n"
      "CREATE INDEX customer_secret ON customer(lower(secret));\n";
  const std::string some =
      "CREATE INDEX customer_salary ON customer(salary);\n"
      "CREATE INDEX person_name ON person(name) WHERE phone > '555-1';\n";
  const std::string tenant =
      chance.once_in(2) ? "CREATE INDEX orders_tenant ON orders(tenant);\n" : "";
  twins.one += always + tenant + (differs ? "" : some);
  twins.other += always + tenant + some;
}

}  // namespace

const ClassWords* Words::find(const std::string& name) const {
  for (const ClassWords& one : classes) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::string with_quotes(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

Twins make_twins(std::uint32_t seed) {
  Chance chance(seed);
  Twins twins;
  const RuleChoice choice = choose_rules(chance);
  for (const TableSpec& spec :
       {person_spec(), shelf_spec(), customer_spec(choice), orders_spec(choice), item_spec(choice),
        note_spec(choice), task_spec(choice)}) {
    add_table(twins, make_table(chance, spec), choice, false);
  }
  for (const TableSpec& spec : {payroll_spec(), vault_spec()}) {
    add_table(twins, make_table(chance, spec), choice, true);
  }
  Documents docs = make_documents(chance);
  twins.words.classes.push_back(docs.words);
  twins.words.classes.push_back(view_words(*twins.words.find("orders")));
  twins.one += docs.one + view_sql(false) + text_index_sql() + inner_index_sql();
  twins.other += docs.other + view_sql(false) + text_index_sql() + inner_index_sql();
  twins.visible_only += docs.visible_only + view_sql(true) + text_index_sql();
  add_indexes(twins, chance, choice.differs_in_schema);
  twins.model = rules_of(choice, twins.words);
  twins.bare = bare_model();
  twins.visible_model = shaped_model(choice);
  twins.agent = agent_scope(choice);
  twins.other_agent = other_scope();
  return twins;
}

}  // namespace gantry::worlds
