// What a call costs inside the process, to a tool in a .so that came through the loader.
#include <benchmark/benchmark.h>
#include <rapidjson/document.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "host/calls/calls.hpp"
#include "host/calls/engine.hpp"
#include "host/loader/loader.hpp"

namespace gantry::host {
namespace {

class Loaded {
 public:
  Loaded() {
    char pattern[] = "/tmp/gantry_calls_XXXXXX";
    directory_ = ::mkdtemp(pattern);
    LoaderOptions options;
    options.services = calls_.get();
    auto loader = Loader::create(std::move(options));
    if (!loader) return;
    loader_ = std::move(*loader);
    auto result = loader_->load_all({{GANTRY_PERF_PLUGIN, true}});
    for (const auto& refused : result.refused) std::fprintf(stderr, "%s\n", refused.reason.c_str());
    registry_.set_plugins(std::move(result.instances), {});
  }
  ~Loaded() {
    registry_.set_plugins({}, {});
    Registry::release_cached();
    loader_.reset();
    calls_.reset();
    std::filesystem::remove_all(directory_);
  }

  const Registry& registry() const { return registry_; }
  Calls& calls() { return *calls_; }
  bool is_good() const { return registry_.current()->tool_by_name.count("nothing") == 1; }

 private:
  Registry registry_;
  Bus bus_;
  Metrics metrics_;
  std::unique_ptr<Calls> calls_ = Calls::create(
      registry_, bus_, metrics_, {}, [](std::string_view plugin, std::string_view fault) {
        std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(plugin.size()), plugin.data(),
                     static_cast<int>(fault.size()), fault.data());
      });
  std::unique_ptr<Loader> loader_;
  std::filesystem::path directory_;
};

class Counter final : public CallListener {
 public:
  void progress(double, double, std::string_view) override {}
  void log(int, std::string_view, std::string_view) override {}
  void done(ItemAnswer&& answer) override { good += answer.kind == ItemAnswer::Kind::result; }
  std::int64_t good = 0;
};

// The newest snapshot, the item in it, and into the plugin and back through the C contract.
void snapshot_lookup_abi_call(benchmark::State& state) {
  Loaded loaded;
  if (!loaded.is_good()) return state.SkipWithError("the plugin is not loaded");
  CallSlab slab;
  const CallRef call = CallRef::adopt(slab.take());
  call->root = call.get();
  call->state.enter();
  const std::string_view name = "nothing";
  for (auto round : state) {
    (void)round;
    const SnapshotPtr snapshot = loaded.registry().current();
    const Item* item = snapshot->tool_by_name.find(name)->second;
    const gantry_status status = item->plugin->invoke("tool", item->spec.name, call.get());
    if (status != GANTRY_OK) return state.SkipWithError("the tool failed");
  }
  Registry::release_cached();
}
BENCHMARK(snapshot_lookup_abi_call);

// All that the engine does for a call: admission, record, deadline, tool, answer.
void whole_call(benchmark::State& state, std::string_view tool, const char* arguments) {
  Loaded loaded;
  if (!loaded.is_good()) return state.SkipWithError("the plugin is not loaded");
  rapidjson::Document parsed;
  parsed.Parse(arguments);
  ItemCall call;
  call.agent = std::make_shared<const Agent>();
  call.name = tool;
  call.arguments = arguments;
  call.parsed = &parsed;
  call.protocol = "2026-07-28";
  const auto counter = std::make_shared<Counter>();
  for (auto round : state) {
    (void)round;
    call.snapshot = loaded.registry().current();
    call.item = call.snapshot->tool_by_name.find(tool)->second;
    loaded.calls().start(call, counter);
  }
  if (counter->good != static_cast<std::int64_t>(state.iterations())) {
    state.SkipWithError("not every call was answered at once");
  }
  Registry::release_cached();
}
BENCHMARK_CAPTURE(whole_call, nothing, "nothing", "{}");
BENCHMARK_CAPTURE(whole_call, echo, "echo", R"({"text":"The quick brown fox"})");

}  // namespace
}  // namespace gantry::host

BENCHMARK_MAIN();
