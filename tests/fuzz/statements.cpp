// Fuzzes a caller's SQL: statements of a grammar, and the input itself as text, asked of two
// databases that differ only in what the agent may not see.
#include <cstdint>
#include <cstdio>
#include <set>

#include "ops/tests/statement_recorder.hpp"
#include "sql_grammar.hpp"
#include "two_shops.hpp"
#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::fuzz {
namespace {

// Memory and time are not equal in two runs.
bool is_spent(const data::DataError& error) {
  return error.code == data::error_code::kTimeout || error.code == data::error_code::kCancelled ||
         error.message.find("memory") != error.message.npos;
}

std::string answer_of(const data::Outcome<data::Reply>& reply, const std::string& sql) {
  if (reply) return reply->rows + reply->meta + reply->warnings + reply->audit_note;
  const data::DataError& error = reply.error();
  if (error.code == data::error_code::kStoreError ||
      error.code == data::error_code::kInternalError) {
    std::fprintf(stderr, "%s\n%s: %s\n", sql.c_str(), error.code.c_str(), error.message.c_str());
    require(false, "no refusal is the engine's own fault");
  }
  return error.code + error.message + error.kind + error.suggested_rewrite + error.audit_note;
}

void check_reads(data::StatementReader& reader, const std::string& sql) {
  if (sql.find("gantry:values") == sql.npos) return;
  std::set<data::ColumnRead> read;
  if (!reader.read(sql, read)) return;  // it has values of parameters in places of their own
  for (const auto& [table, column, inside] : read) {
    const bool is_table = table == "orders" || table == "lines" || table == "vaults" ||
                          table == "teams" || table == "docs" || table.starts_with("sqlite_");
    const bool is_hidden = table == "vaults" || column == "secret" || column == "hidden" ||
                           table.starts_with("sqlite_");
    if (!is_table || (inside.starts_with("gantry:") && !is_hidden)) continue;
    // A query of the caller's may have a table's name.
    const bool is_own_query =
        sql.find("WITH " + table) != sql.npos && !inside.starts_with("gantry:");
    if (is_own_query) continue;
    std::fprintf(stderr, "%s.%s in '%s': %s\n", table.c_str(), column.c_str(), inside.c_str(),
                 sql.c_str());
    require(false, "a table is read inside the sub-query of its class alone");
  }
}

void check(const std::string& sql) {
  static const data::StatementRecorder recorder;
  static Shop one(kOne), other(kOther);
  static data::StatementReader reader(one.path());
  if (!data::is_utf8(sql)) return;
  const bool has_parameters = sql.find_first_of("?:") != sql.npos;
  const std::string request = R"({"op":"sql","args":{"sql":)" + data::quoted_json(sql) +
                              (has_parameters ? R"(,"params":["Ada"]}})" : "}}");
  (void)data::StatementRecorder::take();
  const auto first = one.ask(request);
  for (const std::string& statement : data::StatementRecorder::take()) {
    check_reads(reader, statement);
  }
  const auto second = other.ask(request);
  if ((!first && is_spent(first.error())) || (!second && is_spent(second.error()))) return;
  const std::string left = answer_of(first, sql), right = answer_of(second, sql);
  if (left == right) return;
  std::fprintf(stderr, "%s\n--- one\n%s\n--- other\n%s\n", sql.c_str(), left.c_str(),
               right.c_str());
  require(false, "an agent is told the same by two databases that it sees alike");
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const bool is_text = !input.empty() && (input[0] == 'S' || input[0] == 'W');
  gantry::fuzz::check(is_text ? std::string(input) : gantry::fuzz::SqlGrammar(input).statement());
  return 0;
}
