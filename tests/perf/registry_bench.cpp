// What a call pays to find its tool: the newest snapshot and the item in it.
#include <benchmark/benchmark.h>

#include "host/plugin/host_handle.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host {
namespace {

constexpr int kTools = 100;

class Quiet : public Instance {
 public:
  Quiet() {
    manifest_.name = "quiet";
    for (int i = 0; i < kTools; ++i) {
      ItemSpec spec;
      spec.kind = "tool";
      spec.name = "tool_number_" + std::to_string(i);
      spec.input_schema = R"({"type":"object"})";
      manifest_.items.push_back(spec);
    }
    host_.instance = this;
    handle_ = &host_;
  }
  gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
    return GANTRY_OK;
  }

 private:
  gantry_host host_;
};

Registry& filled() {
  static Registry registry;
  static const bool once = [] {
    registry.set_plugins({std::make_shared<Quiet>()}, {});
    return true;
  }();
  (void)once;
  return registry;
}

void snapshot_and_lookup(benchmark::State& state) {
  const Registry& registry = filled();
  const std::string_view name = "tool_number_57";
  for (auto round : state) {
    (void)round;
    const SnapshotPtr& snapshot = registry.current();
    benchmark::DoNotOptimize(snapshot->tool_by_name.find(name)->second);
  }
  Registry::release_cached();
}
BENCHMARK(snapshot_and_lookup)->Threads(1)->Threads(2);

// As a call does it: it keeps the snapshot that admitted it.
void pin_and_lookup(benchmark::State& state) {
  const Registry& registry = filled();
  const std::string_view name = "tool_number_57";
  for (auto round : state) {
    (void)round;
    const SnapshotPtr pinned = registry.current();
    benchmark::DoNotOptimize(pinned->tool_by_name.find(name)->second);
  }
  Registry::release_cached();
}
BENCHMARK(pin_and_lookup)->Threads(1)->Threads(2);

void publish(benchmark::State& state) {
  Registry registry;
  const auto plugin = std::make_shared<Quiet>();
  registry.set_plugins({plugin}, {});
  for (auto round : state) {
    (void)round;
    if (!registry.set_offer(*plugin, plugin->manifest().items)) state.SkipWithError("refused");
  }
}
BENCHMARK(publish)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gantry::host

BENCHMARK_MAIN();
