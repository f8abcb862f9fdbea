#include "host/worker/probe.hpp"

#include <chrono>
#include <mutex>
#include <utility>

#include <gantry/abi/version.h>

#include "host/base/sha256.hpp"

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
  WorkerCallInfo call_info(const gantry_call& call) override { return real_.call_info(call); }
  bool post(const gantry_call* call, std::function<void()> work) override {
    return real_.post(call, std::move(work));
  }
  void blocking(const std::function<void()>& wait) override { real_.blocking(wait); }

 private:
  HostServices& real_;
};

// The log lines of the trial, for the operator, and the last one.
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

// The result of a trial.
struct Verdict {
  Status status;
  bool whole = true;  // every step was taken
};

bool is_gone(const WorkerInstance& instance) { return instance.health().pid == 0; }

Verdict died_in(const char* step, std::string_view message) {
  const auto at = message.find(kDied);
  if (at != message.npos) message = message.substr(at + kDied.size());
  message = message.substr(0, message.find(';'));
  return {Status::failed("it was tried in a process of its own, and during " + std::string(step) +
                         " that process " + std::string(message))};
}

// A library that cannot be mapped is told of as it would be without a trial.
Verdict failed_before(const WorkerInstance& instance, const Status& status) {
  if (status.message().find(kDied) == std::string::npos) return {status};
  const char* step = "create()";
  if (!instance.progress().has_thread_memory) step = "the first use of its thread-local memory";
  if (!instance.progress().mapped) step = "its constructors";
  return died_in(step, status.message());
}

// Ends the trial after its last step. The process must have unloaded the library by itself.
Verdict end(WorkerInstance& instance, bool whole) {
  static const std::string passed = "called exit(" + std::to_string(kTrialPassed) + ")";
  const std::string cause = instance.end_of_trial();
  if (cause != passed) return died_in("its unloading", cause);
  return {Status::ok(), whole};
}

Verdict destroy(WorkerInstance& instance, const TrialLog& log, bool whole) {
  instance.destroy();
  if (!instance.progress().destroyed) return died_in("destroy()", log.last());
  return end(instance, whole);
}

// A step that says no proves nothing: it may have wanted a file that a trial is not given. It says
// so again outside, where it does no harm.
Verdict walk_through(WorkerInstance& instance, const TrialLog& log, bool map_only) {
  Status status = instance.create();
  if (!status && instance.progress().mapped && !is_gone(instance)) return {Status::ok(), false};
  if (!status) return failed_before(instance, status);
  if (map_only) return end(instance, true);
  status = instance.start();
  if (!status && !is_gone(instance)) return destroy(instance, log, false);
  if (!status) return died_in("start()", status.message());
  instance.stop(std::chrono::steady_clock::now() + kStopTime);
  if (is_gone(instance)) return died_in("stop()", log.last());
  return destroy(instance, log, true);
}

void add_part(std::string& to, std::string_view part) {
  to += std::to_string(part.size()) + ":";
  to += part;
}

}  // namespace

std::string trial_key_of(const Origin& origin) {
  std::string all;
  for (const std::string_view part :
       {std::string_view(GANTRY_SDK_VERSION), std::string_view(origin.sha256),
        std::string_view(origin.settings.config)}) {
    add_part(all, part);
  }
  for (const auto& [name, secret] : origin.settings.secrets) {
    add_part(all, name);
    add_part(all, secret.environment);
    add_part(all, secret.file.native());
  }
  return sha256_hex(all);
}

Prober::Prober(WorkerPlace place, HostServices& services, LogSink log, std::filesystem::path passed)
    : place_(std::move(place)),
      services_(services),
      log_(std::move(log)),
      passed_(std::move(passed), kMostPassed) {}

Status Prober::probe(const Origin& origin, const SealedFilePtr& library) {
  const std::string key = trial_key_of(origin);
  if (passed_.has(key)) return Status::ok();
  bool whole = false;
  Status status = try_out(origin, library, whole);
  if (status && whole) passed_.add(key);
  return status;
}

Status Prober::try_out(const Origin& origin, const SealedFilePtr& library, bool& whole) {
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
  Verdict verdict = walk_through(instance, log, map_only);
  instance.close();
  whole = verdict.whole;
  return verdict.status;
}

}  // namespace gantry::host
