#include "tests/budget/load.hpp"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <fstream>

#include "errors/query_error.hpp"
#include "values/extended_json.hpp"

#ifdef __SANITIZE_ADDRESS__
// Quarantined blocks are resident memory; a small quarantine is enough here.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=4"; }
#endif

namespace gantry::data::budget_tests {
namespace {

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  all.reserve(bytes + text.size());
  while (all.size() < bytes) all.append(text);
  return all;
}

template <class Make>
Value array_of(int count, Make make) {
  Array elements;
  for (int i = 0; i < count; ++i) elements.push_back(make(i));
  return Value::array(std::move(elements));
}

Value large_object() {
  Members members;
  for (int i = 0; i < 100'000; ++i) members.push_back({"k" + std::to_string(i), Value::int32(i)});
  return ObjectBuilder(std::move(members)).build();
}

Value pair_of(int i) {
  return ObjectBuilder()
      .add("k", Value::string("k" + std::to_string(i)))
      .add("v", Value::int32(i))
      .build();
}

Value polygon() {
  constexpr int kCorners = 20'000;
  const auto corner = [](int i) {
    const double at = i % kCorners;
    const double far = at < kCorners / 2 ? 10 : 5;
    const double along = at < kCorners / 2 ? at : kCorners - at;
    return Value::array({Value::real(along / 1000), Value::real(far + along / 100'000)});
  };
  Value ring = array_of(kCorners + 1, corner);
  return ObjectBuilder()
      .add("type", Value::string("Polygon"))
      .add("coordinates", Value::array({std::move(ring)}))
      .build();
}

class Repeated final : public pipeline::Stream {
 public:
  Repeated(Value document, std::size_t count) : document_(std::move(document)), count_(count) {}
  bool next(Value& document) override {
    if (at_ == count_) return false;
    document = document_;
    ObjectBuilder changed(document.members());
    document = changed.set("i", Value::int32(static_cast<std::int32_t>(at_++))).build();
    return true;
  }

 private:
  Value document_;
  std::size_t count_;
  std::size_t at_ = 0;
};

std::size_t resident(std::string_view which) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != which) continue;
    std::size_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes << 10;
  }
  return 0;
}

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double time_of_copy(std::string_view text) {
  malloc_trim(0);
  const double start = processor_ms();
  const Value copy = Value::string(std::string(text));
  return copy.is_string() ? processor_ms() - start : 0;
}

std::string error_of(Load& load, const Value& json, const Budget& budget) {
  const Spending::Scope spending(budget);
  try {
    expr::Variables variables;
    pipeline::Reading reading{load, variables};
    const pipeline::Stages stages = pipeline::parse_pipeline(json, reading);
    expr::Context base;
    base.slots.resize(variables.slots());
    pipeline::Run run{load, base, [] { return 0.5; }};
    const auto stream = pipeline::open_pipeline(stages, load.scan("c", {}), run, base.slots);
    for (Value document; stream->next(document);) run.tick();
  } catch (const QueryError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

Value parse(std::string_view json) {
  std::string text(json);
  std::replace(text.begin(), text.end(), '\'', '"');
  auto value = read_extended(text);
  if (!value) throw QueryError(value.message() + " " + text);
  return std::move(*value);
}

Load::Load() {
  const Value t = Value::string(std::string(15 * kMiB, 'a'));
  document_ =
      ObjectBuilder()
          .add("_id", Value::int32(1))
          .add("t", t)
          .add("s", Value::string(std::string(8 * kMiB, 'a') + "b"))
          .add("e", Value::string(repeated("é", 8 * kMiB)))
          .add("u", Value::string("a"))
          .add("n", array_of(500'000, [](int i) { return Value::int32(i); }))
          .add("m", array_of(100'000, [&](int) { return t; }))
          .add("w", array_of(200'000, [](int i) { return Value::string("w" + std::to_string(i)); }))
          .add("o", large_object())
          .add("p", array_of(100'000, pair_of))
          .add("d", Value::date(1'700'000'000'000))
          .add("i", Value::int32(0))
          .add("g", polygon())
          .build();
  copy_ms_ = std::min(time_of_copy(t.text()), time_of_copy(t.text()));
}

pipeline::StreamPtr Load::scan(std::string_view, const pipeline::ScanHint&) {
  return std::make_unique<Repeated>(document_, count);
}

Taken run(Load& load, std::string_view stages, const Budget& budget) {
  const Value json = parse(stages);
  Taken taken;
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
  const std::size_t before = resident("VmRSS:");
  const double start = processor_ms();
  taken.error = error_of(load, json, budget);
  taken.milliseconds = processor_ms() - start;
  const std::size_t most = resident("VmHWM:");
  taken.grown = most > before ? most - before : 0;
  return taken;
}

}  // namespace gantry::data::budget_tests
