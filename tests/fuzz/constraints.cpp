// Fuzzes a caller's `where`: over a table, where SQL decides it, and over documents and single
// values, where the engine decides it.
#include <cstdint>

#include "engine.hpp"
#include "errors/query_error.hpp"
#include "filter/condition.hpp"
#include "values/extended_json.hpp"

namespace gantry::fuzz {
namespace {

using data::Value;

// Whether each of the documents passes; nothing when the filter is refused.
std::optional<std::string> verdicts(const std::string& filter) {
  std::string passed;
  try {
    const auto parsed = data::read_extended(filter, {.parse_types = true});
    if (!parsed) return std::nullopt;
    data::expr::Variables variables;
    const auto condition = data::filter::parse_condition(*parsed, variables);
    data::expr::Context context;
    context.slots.resize(variables.slots());
    for (const char* document : kDocuments) {
      context.root = context.current = data::read_extended(document).value();
      passed += condition->passes(context) ? '1' : '0';
    }
  } catch (const data::QueryError&) {
    return std::nullopt;
  }
  return passed;
}

void check_conditions(const std::string& filter) {
  const auto plain = verdicts(filter);
  require(plain == verdicts(filter), "a filter decides alike each time");
  const auto negated = verdicts(R"({"$nor":[)" + filter + "]}");
  if (!plain || !negated || has_chance(filter)) return;
  for (std::size_t i = 0; i < plain->size(); ++i) {
    require((*plain)[i] != (*negated)[i], "$nor of a filter is its opposite");
  }
}

void check_table(Engine& engine, const std::string& filter) {
  const std::string where = R"("where":)" + filter;
  const auto rows =
      engine.answer("query", "t", where + R"(,"limit":100,"keys":["b"],"rows":"parse")");
  const auto counted = engine.answer("count", "t", where);
  if (rows && counted && !has_chance(filter)) {
    std::size_t found = 0;
    for (auto at = rows->find("\"objectId\""); at != rows->npos;
         at = rows->find("\"objectId\"", at + 1))
      ++found;
    require(*counted == R"({"count":)" + std::to_string(found) + "}",
            "count counts what query gives");
  }
}

void check_pushdown(Engine& engine, const std::string& filter) {
  const std::string pipeline = R"("pipeline":[{"$match":)" + filter + "}]";
  const auto pushed = engine.answer("aggregate", "t", pipeline);
  const auto alone = engine.answer("aggregate", "t", pipeline, false);
  if (!pushed || !alone || has_chance(filter)) return;
  require(pushed == alone, "SQL finds what the engine finds");
}

void check(std::string_view input) {
  static Engine engine;
  const auto filter = read_json(input, rapidjson::kObjectType);
  if (!filter) return;
  check_conditions(*filter);
  check_table(engine, *filter);
  check_pushdown(engine, *filter);
  engine.answer("query", "c", R"("where":)" + *filter);
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gantry::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
