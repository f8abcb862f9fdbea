#include "host/loader/bring_up.hpp"

#include <chrono>
#include <utility>

#include <rapidjson/document.h>

#include <gantry/schema/error.hpp>
#include <gantry/schema/validator.hpp>

#include "host/loader/loaded_instance.hpp"

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kUnwindTime{2};
constexpr std::chrono::seconds kStepTime{10};

Status check_config(const Manifest& manifest, const PluginSettings& settings) {
  rapidjson::Document config;
  config.Parse<rapidjson::kParseFullPrecisionFlag>(settings.config.data(), settings.config.size());
  if (config.HasParseError() || !config.IsObject()) {
    return Status::invalid("its configuration is not a JSON object; correct plugins." +
                           manifest.name + ".config");
  }
  if (manifest.config_schema.empty()) {
    if (config.ObjectEmpty()) return Status::ok();
    return Status::invalid("it takes no configuration; remove plugins." + manifest.name +
                           ".config");
  }
  const auto validator = schema::Validator::compile(manifest.config_schema);
  if (!validator) return validator.status();
  if (validator->validate(config)) return Status::ok();
  return Status::invalid(
      "its configuration is refused: " +
      schema::explain(validator->errors(config), "plugins." + manifest.name + ".config"));
}

Status check_isolation(const Manifest& manifest, const PluginSettings& settings) {
  const Isolate wanted =
      settings.isolate == Isolate::automatic ? manifest.isolate : settings.isolate;
  if (wanted != Isolate::process) return Status::ok();
  return {GANTRY_UNSUPPORTED,
          "it asks to run in a worker process, which this host cannot do; if you trust it, set "
          "plugins." +
              manifest.name + ".isolate to \"in-process\""};
}

// Strangers belong into a worker process where there is one; the operator should know that here
// they share the host's memory.
void note_isolation(Generation& instance) {
  const bool chosen = instance.settings().isolate != Isolate::automatic ||
                      instance.manifest().isolate != Isolate::automatic;
  if (instance.builtin() || chosen) return;
  instance.log(GANTRY_LOG_NOTICE,
               "runs inside the host's process, since this host has no worker processes; say so "
               "with plugins." +
                   instance.manifest().name + ".isolate \"in-process\" to accept it");
}

// Ends a plugin that got some way and no further.
class Unwind {
 public:
  explicit Unwind(GenerationPtr instance) : instance_(std::move(instance)) {}
  ~Unwind() {
    if (!instance_) return;
    if (!wait_until_unused(instance_, Clock::now() + kUnwindTime)) {
      keep_for_ever(std::move(instance_));  // a self-check that did not come back
      return;
    }
    if (started) instance_->stop(Clock::now() + kUnwindTime);
    if (created) instance_->destroy();
    if (!instance_->was_stopped_well()) instance_->pin();
    instance_->close();
  }
  const GenerationPtr& instance() const { return instance_; }
  GenerationPtr done() { return std::exchange(instance_, nullptr); }

  bool created = false, started = false;

 private:
  GenerationPtr instance_;
};

// A step beyond its limit cannot be ended, but it can be named.
template <class Step>
Status timed(Generation& instance, const char* name, Step step) {
  const auto begin = Clock::now();
  Status status = step();
  if (Clock::now() - begin > kStepTime) {
    instance.log(GANTRY_LOG_WARNING, std::string(name) + " took longer than 10 s");
  }
  return status;
}

Status check_offer(const Generation& instance) {
  if (!instance.manifest().items_at_start || instance.has_offered()) return Status::ok();
  return Status::invalid(
      "its manifest says \"items\": \"probe\", but start() offered nothing; call offer() there");
}

Status run_self_check(const GenerationPtr& instance, const LoaderOptions& options) {
  if (!instance->manifest().has_self_check || !options.self_check) return Status::ok();
  instance->take_reason();
  const Status status = options.self_check(instance);
  if (status) return status;
  const std::string logged = instance->take_reason();
  const std::string& reason = status.message().empty() ? logged : status.message();
  if (!reason.empty()) return {status.code(), "its self-check failed: " + reason};
  return {status.code(), "its self-check failed with status " + std::to_string(status.code()) +
                             " and gave no reason; a plugin says why with fail(), or with log() at "
                             "error level"};
}

Status walk_up(const GenerationPtr& instance, const LoaderOptions& options, Unwind& unwind) {
  Status status = timed(*instance, "create()", [&] { return instance->create(); });
  if (!status) return status;
  unwind.created = true;
  status = timed(*instance, "start()", [&] { return instance->start(); });
  if (!status) return status;
  unwind.started = true;
  status = check_offer(*instance);
  if (!status) return status;
  return run_self_check(instance, options);
}

}  // namespace

void refuse_unfit(Batch& batch) {
  for (std::size_t i = 0; i < batch.candidates.size();) {
    const Origin& origin = batch.candidates[i].origin;
    Status status = check_isolation(origin.manifest, origin.settings);
    if (status) status = check_config(origin.manifest, origin.settings);
    if (status) {
      ++i;
    } else {
      batch.refuse(i, status.message());
    }
  }
}

Result<GenerationPtr> bring_up(Candidate candidate, const PrivateDirectory& directory,
                               const LoaderOptions& options) {
  const Result<std::filesystem::path> copy = directory.add(candidate.bytes);
  if (!copy) return copy.status();
  Result<Library> library = Library::open(*copy, !candidate.origin.manifest.unloadable);
  if (!library) return library.status();
  Unwind unwind(std::make_shared<LoadedInstance>(
      std::move(candidate.origin), std::move(library).value(), *options.services, options.log));
  note_isolation(*unwind.instance());
  if (Status status = walk_up(unwind.instance(), options, unwind); !status) return status;
  return unwind.done();
}

}  // namespace gantry::host
