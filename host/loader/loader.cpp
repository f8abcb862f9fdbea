#include "host/loader/loader.hpp"

#include <algorithm>
#include <utility>

#include "host/loader/bring_up.hpp"
#include "host/loader/control_thread.hpp"
#include "host/loader/private_copy.hpp"

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStopTime{10};
constexpr std::chrono::seconds kLastDeadline{2};

}  // namespace

struct Loader::State {
  State(LoaderOptions given, PrivateDirectory copies)
      : options(std::move(given)), directory(std::move(copies)) {}

  void apply_settings(Batch& batch) const;
  void load(const std::vector<PluginSource>& sources, LoadResult& result);
  void end(const GenerationPtr& instance, UnloadResult& result);
  void unload(Clock::time_point deadline, UnloadResult& result);

  LoaderOptions options;
  PrivateDirectory directory;
  std::vector<GenerationPtr> loaded;
  ControlThread control;
};

void Loader::State::apply_settings(Batch& batch) const {
  for (Candidate& candidate : batch.candidates) {
    Origin& origin = candidate.origin;
    const auto known = options.settings.find(origin.manifest.name);
    if (known != options.settings.end()) origin.settings = known->second;
    origin.settings.may_override |= std::find(options.overrides.begin(), options.overrides.end(),
                                              origin.manifest.name) != options.overrides.end();
  }
}

void Loader::State::load(const std::vector<PluginSource>& sources, LoadResult& result) {
  Batch batch = gather(sources, options.trust.get(), options.log);
  refuse_doubles(batch);
  apply_settings(batch);
  refuse_unfit(batch);
  resolve_needs(batch, *options.services);
  refuse_taken_names(batch);
  resolve_needs(batch, *options.services);
  order_by_needs(batch);
  resolve_needs(batch, *options.services);
  for (Candidate& candidate : batch.candidates) {
    PluginState state = refused_state(candidate.origin, "");
    Result<GenerationPtr> instance = bring_up(std::move(candidate), directory, options);
    if (instance) {
      loaded.push_back(std::move(instance).value());
      continue;
    }
    state.reason = instance.message();
    batch.refused.push_back(std::move(state));
  }
  result.instances.assign(loaded.begin(), loaded.end());
  result.refused = std::move(batch.refused);
}

void Loader::State::end(const GenerationPtr& instance, UnloadResult& result) {
  instance->stop(Clock::now() + kStopTime);
  instance->destroy();
  const bool pinned = !instance->manifest().unloadable || !instance->was_stopped_well();
  if (!instance->was_stopped_well()) instance->pin();
  if (instance->close()) {
    ++result.unloaded;
  } else if (pinned) {
    ++result.kept;
  } else {
    ++result.leaked;
    instance->log(GANTRY_LOG_WARNING,
                  "stays mapped after its end although it promises to be unloadable; look for "
                  "threads, thread-local objects and unique symbols");
  }
}

void Loader::State::unload(Clock::time_point deadline, UnloadResult& result) {
  while (!loaded.empty()) {
    GenerationPtr instance = std::move(loaded.back());
    loaded.pop_back();
    if (wait_until_unused(instance, deadline)) {
      end(instance, result);
      continue;
    }
    ++result.in_use;
    instance->log(GANTRY_LOG_WARNING, "is still in use at the deadline and is left running");
    keep_for_ever(std::move(instance));
  }
}

Result<std::unique_ptr<Loader>> Loader::create(LoaderOptions options) {
  Result<PrivateDirectory> directory = PrivateDirectory::open(options.private_directory);
  if (!directory) return directory.status();
  auto state = std::make_unique<State>(std::move(options), std::move(directory).value());
  return std::unique_ptr<Loader>(new Loader(std::move(state)));
}

Loader::Loader(std::unique_ptr<State> state) : state_(std::move(state)) {}

Loader::~Loader() {
  if (!state_->loaded.empty()) unload_all(kLastDeadline);
}

LoadResult Loader::load_all(const std::vector<PluginSource>& sources) {
  LoadResult result;
  state_->control.run([&] { state_->load(sources, result); });
  return result;
}

UnloadResult Loader::unload_all(std::chrono::milliseconds deadline) {
  UnloadResult result;
  const auto when = Clock::now() + deadline;
  state_->control.run([&] { state_->unload(when, result); });
  return result;
}

}  // namespace gantry::host
