// Fuzzes a pipeline: in memory with a small budget, then through the service over documents and
// over a table, with and without pushdown to the database.
#include <cstdint>

#include "engine.hpp"
#include "errors/query_error.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/streams.hpp"
#include "values/extended_json.hpp"
#include "values/spending.hpp"

namespace gantry::fuzz {
namespace {

using data::Value;
namespace pipeline = data::pipeline;

constexpr std::size_t kMemory = 256u << 10;
constexpr std::int64_t kMilliseconds = 20;

class FewDocuments final : public pipeline::Classes {
 public:
  FewDocuments() {
    for (const char* document : kDocuments) list_.push_back(data::read_extended(document).value());
  }
  void check(std::string_view name) override {
    if (name != "c" && name != "d") throw data::QueryError("no such class");
  }
  pipeline::StreamPtr scan(std::string_view, const pipeline::ScanHint&) override {
    return std::make_unique<pipeline::ListStream>(list_);
  }

 private:
  data::Array list_;
};

// Everything that a stage kept is given back, however the run ends.
void run_in_memory(const std::string& text) {
  static FewDocuments classes;
  const auto parsed = data::read_extended(text, {.parse_types = true});
  if (!parsed) return;
  data::Budget budget = data::Budget::for_ms(kMilliseconds);
  budget.bytes = kMemory;
  const data::Spending::Scope spending(budget);
  try {
    data::expr::Context base;
    pipeline::Run run{classes, base, [] { return 0.5; }};
    data::expr::Variables variables;
    pipeline::Reading reading{classes, variables};
    const pipeline::Stages stages = pipeline::parse_pipeline(*parsed, reading);
    base.slots.resize(variables.slots());
    const auto stream = pipeline::open_pipeline(stages, classes.scan("c", {}), run, base.slots);
    for (Value document; stream->next(document);) {
      run.tick();
      require(document.is_object(), "what comes out of a pipeline are documents");
    }
  } catch (const data::QueryError&) {
  }
  require(data::Spending::current()->used() == 0, "what stages keep is given back");
}

void check(std::string_view input) {
  static Engine engine;
  const auto text = read_json(input, rapidjson::kArrayType);
  if (!text) return;
  run_in_memory(*text);
  const std::string argument = R"("pipeline":)" + *text;
  engine.answer("aggregate", "t", argument + R"(,"plan":true)");
  for (const char* cls : {"t", "c"}) {
    const auto pushed = engine.answer("aggregate", cls, argument);
    const auto alone = engine.answer("aggregate", cls, argument, false);
    if (pushed && alone && !has_chance(*text)) {
      require(pushed == alone, "a pipeline answers the same with the database's help and without");
    }
  }
}

}  // namespace
}  // namespace gantry::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gantry::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
