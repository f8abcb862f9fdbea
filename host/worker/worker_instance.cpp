#include "host/worker/worker_instance.hpp"

#include <pthread.h>

#include <utility>

#include "host/base/deadline.hpp"
#include "host/worker/messages.hpp"
#include "host/worker/sandbox.hpp"

namespace gantry::host {
namespace {

using Steady = std::chrono::steady_clock;
using worker::FrameType;

constexpr std::chrono::milliseconds kGrace{200}, kExitTime{1000};

}  // namespace

WorkerInstance::WorkerInstance(Origin origin, SealedFilePtr library, HostServices& services,
                               LogSink log, WorkerPlace place)
    : Generation(std::move(origin), services, std::move(log)),
      place_(std::move(place)),
      library_(std::move(library)),
      stage_(settings_.worker, place_.clock),
      link_(settings_.worker, stage_.policy(), place_.clock),
      jobs_(services),
      calls_(services, *this, link_, jobs_),
      frames_(services, *this, link_, calls_, jobs_),
      steps_(link_),
      reader_(link_, calls_, frames_, steps_, *this) {
  in_worker_ = true;
}

WorkerInstance::~WorkerInstance() { close(); }

Status WorkerInstance::spawn() {
  WorkerStart start;
  start.program = place_.program;
  start.plugin = manifest_.name;
  start.library = library_;
  start.limits = settings_.worker;
  start.limits.walls = start.limits.walls && place_.walls;
  // A plugin that passes its trial will have all of the host's memory.
  if (place_.trial != Trial::none) start.limits.memory_bytes = 0;
  start.trial = place_.trial;
  start.unloads = manifest_.unloadable;
  start.log = [this](std::string_view, int level, std::string_view line) {
    if (link_.may_log(line.size())) log(level, line);
  };
  start.ended = [](const std::string&) {};
  auto process = place_.keeper.spawn(std::move(start));
  if (!process) return process.status();
  link_.attach(std::move(*process));
  return Status::ok();
}

// The fields of the frame `create`.
std::string WorkerInstance::setup() {
  worker::Setup setup{settings_.config, {}};
  const std::vector<std::string> asked = manifest_.asked();  // the fields point into it
  for (const std::string& id : asked) {
    if (service(id) != nullptr) setup.services.push_back(id);
  }
  worker::FrameWriter frame(FrameType::create);
  setup.put_into(frame);
  return frame.bytes().substr(worker::kHeaderSize);
}

Status WorkerInstance::status_of(const char* step, const worker::Steps::End& end) {
  if (end.status >= 0) return Status::ok();
  if (!end.reason.empty()) return {end.status, end.reason};
  return failed(step, end.status);
}

Status WorkerInstance::create() {
  take_reason();
  if (Status status = spawn(); !status) return status;
  thread_ = std::thread([this] {
    ::pthread_setname_np(::pthread_self(), "gantry-worker");
    do {
      gone(reader_.read_until_end());
    } while (come_back());
  });
  return status_of("create()",
                   steps_.run(FrameType::create, setup(), Steady::now() + place_.step_time));
}

Status WorkerInstance::start() {
  take_reason();
  may_offer_ = true;
  const Status status =
      status_of("start()", steps_.run(FrameType::start, {}, Steady::now() + place_.step_time));
  if (status) {
    serve();
  } else {
    may_offer_ = false;
  }
  return status;
}

void WorkerInstance::stop(Time deadline) {
  may_offer_ = false;
  if (!stage_.end()) return link_.kill("was ended");
  std::string fields;
  worker::append_number(fields, deadline_from(deadline));
  const worker::Steps::End end = steps_.run(FrameType::stop, fields, deadline + kGrace);
  if (end.status >= 0) return;
  const std::string& why = end.reason;
  log(GANTRY_LOG_ERROR, "stop() failed with status " + std::to_string(end.status) +
                            (why.empty() ? "" : ": " + why) + "; its worker process is ended");
}

void WorkerInstance::destroy() {
  stage_.end();
  const worker::Steps::End end =
      steps_.run(FrameType::destroy, {}, Steady::now() + place_.step_time);
  is_destroyed_ = end.status >= 0;
  if (end.status < 0 && !end.reason.empty()) log(GANTRY_LOG_WARNING, "destroy(): " + end.reason);
}

WorkerInstance::Progress WorkerInstance::progress() const {
  const int milestones = reader_.milestones();
  return {
      .mapped = milestones >= 1, .has_thread_memory = milestones >= 2, .destroyed = is_destroyed_};
}

std::string WorkerInstance::end_of_trial() {
  if (std::string end = stage_.wait_for_end(place_.step_time); !end.empty()) return end;
  link_.kill("hung: it did not end in time");
  return stage_.wait_for_end();
}

bool WorkerInstance::close() {
  if (!thread_.joinable()) return true;
  stage_.end();
  if (const auto process = link_.current()) {
    process->channel.shut();
    if (!process->process->wait_until(Steady::now() + kExitTime)) link_.kill("was ended");
  }
  thread_.join();
  jobs_.wait();
  return true;
}

Health WorkerInstance::health() const {
  Health health = Generation::health();
  stage_.put_into(health);
  health.pid = link_.pid();
  return health;
}

gantry_status WorkerInstance::invoke(std::string_view kind, std::string_view name,
                                     gantry_call* call) noexcept {
  try {
    return calls_.enter(kind, name, call);
  } catch (...) {
    return GANTRY_FAILED;
  }
}

// The process is gone: ends the calls and the step that waited for it.
void WorkerInstance::gone(const std::string& end) {
  link_.detach();
  const WorkerStage::Loss loss = stage_.lost(end);
  const std::string cause = "its worker process " + end;
  const std::string name = "The plugin '" + manifest_.name + "'";
  calls_.lose(name + " failed during this call: " + cause + "; " + loss.next, loss.restarts_at_once,
              name + " is not running: " + cause + "; " + loss.next);
  if (loss.is_wanted) log(GANTRY_LOG_ERROR, cause + "; " + loss.next);
  steps_.lose(cause);
  if (loss.had_served && place_.changed) place_.changed();
}

// True when a new process is there, which has its steps to take.
bool WorkerInstance::come_back() {
  while (stage_.wait_for_restart()) {
    if (const Status status = spawn(); !status) {
      log(GANTRY_LOG_ERROR, "its worker process cannot be started: " + status.message());
      stage_.not_spawned();
      continue;
    }
    // The thread that ends this instance may have found no process to end meanwhile: either it sees
    // the new one, or this thread sees the stage.
    if (stage_.is_restarting()) {
      restart();
    } else {
      link_.kill("was ended");
    }
    return true;
  }
  return false;
}

// create() and start() once more; each step begins when the worker has ended the one before.
void WorkerInstance::restart() {
  take_reason();
  const auto ended = [this](const char* step, const worker::Steps::End& end) {
    if (end.status >= 0) return false;
    link_.kill("was ended: " + status_of(step, end).message());
    return true;
  };
  const auto started = [this, ended](const worker::Steps::End& end) {
    if (!ended("start()", end)) serve();
  };
  const auto created = [this, ended, started](const worker::Steps::End& end) {
    if (ended("create()", end)) return;
    steps_.begin(FrameType::start, {}, Steady::now() + place_.step_time, started);
  };
  steps_.begin(FrameType::create, setup(), Steady::now() + place_.step_time, created);
}

// Its plugin has started.
void WorkerInstance::serve() {
  const std::uint64_t life = link_.life();
  const WorkerStage::Start start = stage_.started();
  if (start == WorkerStage::Start::ignored) return;
  calls_.open(life);
  if (start == WorkerStage::Start::first) return;
  log(GANTRY_LOG_NOTICE, "its worker process is back");
  if (place_.changed) place_.changed();
}

}  // namespace gantry::host
