#include "host/loader/start_attempt.hpp"

#include <chrono>
#include <utility>

#include <rapidjson/document.h>

#include <gantry/schema/error.hpp>
#include <gantry/schema/validator.hpp>

#include "host/base/exact_json.hpp"
#include "host/loader/batch.hpp"
#include "host/loader/grants.hpp"
#include "host/loader/loaded_instance.hpp"
#include "host/loader/loader_options.hpp"
#include "host/loader/seen_files.hpp"

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kStepTime{10};

Status check_config(const Manifest& manifest, const PluginSettings& settings) {
  rapidjson::Document config;
  if (!parse_exact(settings.config, config) || !config.IsObject()) {
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

Isolate wanted_isolation(const Origin& origin) {
  if (origin.settings.isolate != Isolate::automatic) return origin.settings.isolate;
  return origin.manifest.isolate;
}

Status check_isolation(const Origin& origin, const LoaderOptions& options) {
  if (options.make_worker || wanted_isolation(origin) != Isolate::process) return Status::ok();
  return {GANTRY_UNSUPPORTED,
          "it asks to run in a worker process, which this host cannot do; if you trust it, set "
          "plugins." +
              origin.manifest.name + ".isolate to \"in-process\""};
}

Status check_walls(const Origin& origin, const LoaderOptions& options) {
  const bool needed = runs_in_worker(origin, options) && origin.settings.worker.walls;
  if (!needed || origin.builtin || options.landlock > 0) return Status::ok();
  return {GANTRY_UNSUPPORTED,
          "it belongs into a worker process with walls, and this kernel has no Landlock: run Linux "
          "5.13 or newer with landlock among the security modules (lsm=landlock,… on the kernel's "
          "command line); or, if you trust the plugin with every file of this server's user, set "
          "plugins." +
              origin.manifest.name + ".walls to \"none\""};
}

void note_walls(Generation& instance, const LoaderOptions& options) {
  const WorkerLimits& limits = instance.settings().worker;
  if (!instance.in_worker() || (limits.walls && options.landlock > 0)) return;
  const std::string why = limits.walls ? "this kernel has no Landlock" : "walls is \"none\"";
  instance.log(GANTRY_LOG_WARNING, "security: its worker process has no walls, since " + why +
                                       "; it reaches every file that this server's user reaches");
}

// Logs that a plugin that is not built in shares the host's memory, on a host without workers.
void note_isolation(Generation& instance, const LoaderOptions& options) {
  const bool chosen = instance.settings().isolate != Isolate::automatic ||
                      instance.manifest().isolate != Isolate::automatic;
  if (instance.builtin() || chosen || options.make_worker) return;
  instance.log(GANTRY_LOG_NOTICE,
               "runs inside the host's process, since this host has no worker processes; say so "
               "with plugins." +
                   instance.manifest().name + ".isolate \"in-process\" to accept it");
}

// A step in this process cannot be interrupted; one beyond its limit is logged.
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
  const Status status = options.self_check(share(instance));
  if (status) return status;
  const std::string logged = instance->take_reason();
  const std::string& reason = status.message().empty() ? logged : status.message();
  if (!reason.empty()) return {status.code(), "its self-check failed: " + reason};
  return {status.code(), "its self-check failed with status " + std::to_string(status.code()) +
                             " and gave no reason; a plugin says why with fail(), or with log() at "
                             "error level"};
}

void run_startup_steps(StartAttempt& attempt, const LoaderOptions& options) {
  Generation& instance = *attempt.instance;
  attempt.status = timed(instance, "create()", [&] { return instance.create(); });
  if (!attempt.status) return;
  attempt.created = true;
  attempt.status = timed(instance, "start()", [&] { return instance.start(); });
  if (!attempt.status) return;
  attempt.started = true;
  attempt.status = check_offer(instance);
  if (attempt.status) attempt.status = run_self_check(attempt.instance, options);
}

Result<GenerationPtr> make(Origin origin, const SealedFilePtr& file, const StartOptions& start) {
  const LoaderOptions& options = *start.options;
  if (runs_in_worker(origin, options)) {
    return options.make_worker(std::move(origin), file, *options.services, options.log,
                               start.changed);
  }
  if (options.probe && (start.probes_builtin || !origin.builtin)) {
    if (Status status = options.probe(origin, file); !status) return status;
  }
  Result<Library> library = Library::open(file, !origin.manifest.unloadable);
  if (!library) return library.status();
  return GenerationPtr(std::make_shared<LoadedInstance>(
      std::move(origin), std::move(library).value(), *options.services, options.log));
}

}  // namespace

bool runs_in_worker(const Origin& origin, const LoaderOptions& options) {
  if (!options.make_worker || origin.settings.isolate == Isolate::in_process) return false;
  if (origin.settings.isolate == Isolate::process) return true;
  return origin.manifest.isolate == Isolate::process || !origin.builtin;
}

void reject_invalid_config(Batch& batch, const LoaderOptions& options) {
  for (std::size_t i = 0; i < batch.candidates.size();) {
    const Candidate& candidate = batch.candidates[i];
    const Origin& origin = candidate.origin;
    Status status;
    if (!candidate.stays) {
      status = check_isolation(origin, options);
      if (status) status = check_walls(origin, options);
      if (status) status = check_grants(origin, options.closed);
      if (status) status = check_config(origin.manifest, origin.settings);
    }
    if (status) {
      ++i;
    } else {
      batch.refuse(i, status.message());
    }
  }
}

StartAttempt start_generation(Origin origin, SealedFilePtr file, const StartOptions& start) {
  StartAttempt attempt;
  Result<GenerationPtr> made = make(std::move(origin), file, start);
  if (!made) {
    attempt.status = made.status();
    return attempt;
  }
  attempt.instance = std::move(made).value();
  attempt.instance->set_sealed(std::move(file));
  attempt.instance->holders().on_none(start.unused);
  note_isolation(*attempt.instance, *start.options);
  note_walls(*attempt.instance, *start.options);
  run_startup_steps(attempt, *start.options);
  return attempt;
}

}  // namespace gantry::host
