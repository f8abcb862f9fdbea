#include "host/loader/loader.hpp"

#include <utility>

#include "host/loader/live.hpp"

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kLastDeadline{2};

}  // namespace

Result<std::unique_ptr<Loader>> Loader::create(LoaderOptions options) {
  return std::unique_ptr<Loader>(new Loader(std::make_unique<Live>(std::move(options))));
}

Loader::Loader(std::unique_ptr<Live> live) : live_(std::move(live)) {}

Loader::~Loader() { unload_all(kLastDeadline); }

LoadResult Loader::load_all(const std::vector<PluginSource>& sources) {
  LoadResult result;
  live_->run([&] {
    live_->set_sources(sources);
    live_->follow();
    result.instances = live_->instances();
    result.refused = live_->refused();
  });
  return result;
}

void Loader::rescan() { live_->rescan(); }

void Loader::rescan_and_wait() {
  live_->run([&] { live_->follow(); });
  live_->view().wait_settled({});
}

void Loader::set_settings(SettingsByName settings, std::vector<std::string> overrides,
                          std::vector<PluginSource> sources, std::shared_ptr<const Trust> trust) {
  live_->run([&] {
    live_->set_settings(std::move(settings), std::move(overrides), std::move(trust));
    live_->set_sources(std::move(sources));
    live_->follow();
  });
  live_->view().wait_settled({});
}

std::vector<PluginSource> Loader::sources() const { return live_->view().sources(); }

LoaderCounts Loader::counts() const { return live_->counts(); }

UnloadResult Loader::unload_all(std::chrono::milliseconds deadline) {
  UnloadResult result;
  const auto when = std::chrono::steady_clock::now() + deadline;
  live_->run([&] { result = live_->unload_all(when); });
  return result;
}

}  // namespace gantry::host
