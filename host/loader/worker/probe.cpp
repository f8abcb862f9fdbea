#include "host/loader/worker/probe.hpp"

#include <chrono>
#include <mutex>
#include <utility>

namespace gantry::host {
namespace {

constexpr std::chrono::seconds kStopTime{2};
constexpr std::string_view kDied = "its worker process ";

// The host as a plugin on trial sees it: there, but nothing it does has an effect.
class TrialServices final : public HostServices {
 public:
  explicit TrialServices(HostServices& real) : real_(real) {}
  const void* service(std::string_view id) const override { return real_.service(id); }
  Status offer(Instance&, std::string_view) override { return Status::ok(); }
  CallFacts facts(const gantry_call& call) override { return real_.facts(call); }
  bool post(const gantry_call* call, std::function<void()> work) override {
    return real_.post(call, std::move(work));
  }
  void blocking(const std::function<void()>& wait) override { real_.blocking(wait); }

 private:
  HostServices& real_;
};

// What the trial said, for the operator who wants to know, and its last line.
class TrialLog {
 public:
  explicit TrialLog(LogSink sink) : sink_(std::move(sink)) {}
  void take(std::string_view plugin, std::string_view text) {
    const std::lock_guard lock(mutex_);
    last_ = text;
    if (sink_) sink_(plugin, GANTRY_LOG_DEBUG, "on trial: " + last_);
  }
  std::string last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  LogSink sink_;
  mutable std::mutex mutex_;
  std::string last_;
};

// A step that failed by itself is told as it would be without a trial.
Status explained(const char* step, Status status) {
  std::string_view message = status.message();
  const auto died = message.find(kDied);
  if (died == message.npos) return status;
  message = message.substr(died + kDied.size());
  message = message.substr(0, message.find(';'));
  return {status.code(), "it was tried in a process of its own, and during " + std::string(step) +
                             " that process " + std::string(message)};
}

bool is_gone(const WorkerInstance& instance) { return instance.health().pid == 0; }

Status walk_through(WorkerInstance& instance, const TrialLog& log, bool map_only) {
  Status status = instance.create();
  if (!status) return explained(instance.is_mapped() ? "create()" : "its constructors", status);
  if (map_only) return status;
  status = instance.start();
  if (!status) return explained("start()", status);
  instance.stop(std::chrono::steady_clock::now() + kStopTime);
  if (is_gone(instance)) return explained("stop()", Status::failed(log.last()));
  instance.destroy();
  if (is_gone(instance)) return explained("destroy()", Status::failed(log.last()));
  return status;
}

}  // namespace

Prober::Prober(WorkerPlace place, HostServices& services, LogSink log, std::filesystem::path cache)
    : place_(std::move(place)),
      services_(services),
      log_(std::move(log)),
      cache_(std::move(cache)) {}

Status Prober::probe(const Origin& origin, const SealedFilePtr& library) {
  const std::string key = ProbeCache::key_of(origin);
  if (cache_.has(key)) return Status::ok();
  Status status = try_out(origin, library);
  if (status) cache_.add(key);
  return status;
}

Status Prober::try_out(const Origin& origin, const SealedFilePtr& library) {
  TrialServices services(services_);
  TrialLog log(log_);
  WorkerPlace place = place_;
  const bool map_only = origin.manifest.exclusive;
  place.trial = map_only ? Trial::map : Trial::live;
  place.changed = nullptr;
  const auto sink = [&log](std::string_view plugin, int, std::string_view text) {
    log.take(plugin, text);
  };
  WorkerInstance instance(origin, library, services, sink, std::move(place));
  Status status = walk_through(instance, log, map_only);
  instance.close();
  return status;
}

}  // namespace gantry::host
