// How long it takes until a plugin's new file serves, beside a bare dlopen of a fresh copy of it.
// usage: swap_bench [PAIRS]; ends with 1 when the median swap of a file that is tried out in a
// worker process and then mapped takes over 5 ms.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "host/app/workers.hpp"
#include "host/calls/calls.hpp"
#include "host/loader/loader.hpp"
#include "host/worker/landlock.hpp"

namespace gantry::host {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// Where the plugin runs: in this process at once, in it after a trial, in a worker.
enum class Place { untried, inside, worker };

class Swapping {
 public:
  Swapping(fs::path directory, Place place) : directory_(std::move(directory)) {
    fs::create_directories(directory_ / "plugins");
    std::ifstream in(GANTRY_PERF_PLUGIN, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    LoaderOptions options;
    options.services = calls_.get();
    options.publisher = &registry_;
    if (place != Place::untried && !use_workers(options, place)) return;
    auto loader = Loader::create(std::move(options));
    if (!loader) return;
    loader_ = std::move(*loader);
    next_file();
    loader_->load_all({{directory_ / "plugins", false}});
    Registry::release_cached();
  }
  ~Swapping() {
    loader_.reset();
    calls_.reset();
  }

  std::uint64_t generation() const {
    const auto states = loader_ ? loader_->list() : std::vector<PluginState>();
    return states.empty() ? 0 : states[0].generation;
  }

  // From the moment the file is there until the new generation is published.
  double swap() {
    next_file();
    const auto begin = Clock::now();
    loader_->load_all(loader_->sources());
    return milliseconds_since(begin);
  }

  double bare() {
    const fs::path copy = directory_ / ("bare" + std::to_string(count_) + ".so");
    const auto begin = Clock::now();
    write(copy, bytes_);
    void* const library = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library && ::dlsym(library, "gantry_plugin_v1")) ::dlclose(library);
    const double took = milliseconds_since(begin);
    fs::remove(copy);
    return took;
  }

  bool drain() const {
    const auto deadline = Clock::now() + std::chrono::seconds(5);
    while (loader_->counts().draining > 0 && Clock::now() < deadline) ::usleep(200);
    return loader_->counts().draining == 0;
  }

 private:
  bool use_workers(LoaderOptions& options, Place place) {
    auto workers = Workers::create(*calls_, {}, directory_, landlock_version());
    if (!workers) return false;
    workers_ = std::move(*workers);
    options.landlock = landlock_version();
    options.make_worker = [this](Origin origin, const SealedFilePtr& file, HostServices& services,
                                 LogSink log, std::function<void()> changed) {
      return workers_->make(std::move(origin), file, services, std::move(log), std::move(changed));
    };
    options.probe = [this](const Origin& origin, const SealedFilePtr& file) {
      return workers_->probe(origin, file);
    };
    const bool inside = place == Place::inside;
    options.settings["perf-echo"].isolate = inside ? Isolate::in_process : Isolate::process;
    return true;
  }

  // Bytes behind the last segment are legal and make another file of it.
  void next_file() {
    const fs::path aside = directory_ / "plugins" / ".next";
    write(aside, bytes_ + std::to_string(++count_));
    fs::rename(aside, directory_ / "plugins" / "plugin.so");
  }

  fs::path directory_;
  std::string bytes_;
  int count_ = 0;
  Registry registry_;
  Bus bus_;
  Metrics metrics_;
  std::unique_ptr<Calls> calls_ =
      Calls::create(registry_, bus_, metrics_, {}, [](std::string_view, std::string_view) {});
  std::unique_ptr<Workers> workers_;
  std::unique_ptr<Loader> loader_;
};

double at(std::vector<double> times, double part) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
}

struct Times {
  std::vector<double> swaps, bares;
};

bool measure(Place place, int pairs, Times& times) {
  char pattern[] = "/tmp/gantry_swap_XXXXXX";
  const fs::path directory = ::mkdtemp(pattern);
  bool good = true;
  {
    Swapping swapping(directory, place);
    for (int i = 0; i < pairs && good; ++i) {
      const std::uint64_t before = swapping.generation();
      if (before == 0) return false;
      times.swaps.push_back(swapping.swap());
      good = swapping.generation() > before && swapping.drain();
      times.bares.push_back(swapping.bare());
    }
  }
  fs::remove_all(directory);
  return good;
}

void print(const char* what, const Times& times) {
  std::printf("%s %.3f ms at the median, %.3f at p95; bare dlopen of a copy %.3f ms; ratio %.2f\n",
              what, at(times.swaps, 0.5), at(times.swaps, 0.95), at(times.bares, 0.5),
              at(times.swaps, 0.5) / at(times.bares, 0.5));
}

int run(int pairs) {
  Times untried, inside, worker;
  if (!measure(Place::inside, pairs, inside) || !measure(Place::untried, pairs, untried) ||
      !measure(Place::worker, pairs, worker)) {
    std::fprintf(stderr, "a swap did not happen\n");
    return 2;
  }
  print("swap", inside);
  print("without-trial", untried);
  print("worker", worker);
  constexpr double kLimit = 5.0;
  return at(inside.swaps, 0.5) <= kLimit ? 0 : 1;
}

}  // namespace
}  // namespace gantry::host

int main(int argc, char** argv) {
  constexpr int kPairs = 200;
  return gantry::host::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : kPairs);
}
