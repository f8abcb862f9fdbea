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

std::string in_words(std::chrono::milliseconds time) {
  if (time.count() < 1000) return std::to_string(time.count()) + " ms";
  return std::to_string((time.count() + 999) / 1000) + " s";
}

}  // namespace

WorkerInstance::WorkerInstance(Origin origin, SealedFilePtr library, HostServices& services,
                               LogSink log, WorkerPlace place)
    : Generation(std::move(origin), services, std::move(log)),
      place_(std::move(place)),
      library_(std::move(library)),
      policy_(settings_.worker, place_.clock),
      link_(settings_.worker, policy_, place_.clock),
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

void WorkerInstance::enter(Stage stage) {
  {
    std::lock_guard lock(mutex_);
    stage_ = stage;
  }
  changed_.notify_all();
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
  bool was_serving = false;
  {
    std::lock_guard lock(mutex_);
    was_serving = stage_ == Stage::serving;
  }
  enter(Stage::ending);
  if (!was_serving) return link_.kill("was ended");
  std::string fields;
  worker::append_number(fields, deadline_from(deadline));
  const worker::Steps::End end = steps_.run(FrameType::stop, fields, deadline + kGrace);
  if (end.status >= 0) return;
  const std::string& why = end.reason;
  log(GANTRY_LOG_ERROR, "stop() failed with status " + std::to_string(end.status) +
                            (why.empty() ? "" : ": " + why) + "; its worker process is ended");
}

void WorkerInstance::destroy() {
  enter(Stage::ending);
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
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return !end_.empty(); };
  if (!changed_.wait_for(lock, place_.step_time, is_over)) {
    lock.unlock();
    link_.kill("hung: it did not end in time");
    lock.lock();
    changed_.wait(lock, is_over);
  }
  return end_;
}

bool WorkerInstance::close() {
  if (!thread_.joinable()) return true;
  enter(Stage::ending);
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
  {
    std::lock_guard lock(mutex_);
    if (stage_ == Stage::restarting) health.mode = Health::Mode::restarting;
    if (stage_ == Stage::quarantined) health.mode = Health::Mode::quarantined;
    health.reason = reason_;
    health.restarts = restarts_;
  }
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
  const std::string cause = "its worker process " + end;
  link_.detach();
  const std::string name = "The plugin '" + manifest_.name + "'";
  std::string next;
  Stage stage{};
  {
    std::lock_guard lock(mutex_);
    end_ = end;
    if (stage_ == Stage::serving || stage_ == Stage::restarting) {
      const RestartPolicy::Verdict verdict = policy_.failed();
      wait_ = verdict.wait;
      stage_ = verdict.quarantined ? Stage::quarantined : Stage::restarting;
      next = verdict.quarantined
                 ? "it failed too often and is quarantined until its file changes or it is reloaded"
             : wait_.count() > 0 ? "it is restarted in " + in_words(wait_) + ", try again then"
                                 : "it is being restarted";
      reason_ = cause + "; " + next;
    } else {
      next = "it is being ended";
    }
    stage = stage_;
  }
  changed_.notify_all();
  const bool at_once = stage == Stage::restarting && wait_.count() == 0;
  calls_.lose(name + " failed during this call: " + cause + "; " + next, at_once,
              name + " is not running: " + cause + "; " + next);
  if (stage != Stage::ending) log(GANTRY_LOG_ERROR, cause + "; " + next);
  steps_.lose(cause);
  if (stage != Stage::starting && stage != Stage::ending && place_.changed) place_.changed();
}

// True when a new process is there, which has its steps to take.
bool WorkerInstance::come_back() {
  {
    std::unique_lock lock(mutex_);
    const auto ends = [this] { return stage_ != Stage::restarting; };
    if (changed_.wait_for(lock, wait_, ends)) return false;
  }
  if (const Status status = spawn(); !status) {
    log(GANTRY_LOG_ERROR, "its worker process cannot be started: " + status.message());
    {
      std::lock_guard lock(mutex_);
      const RestartPolicy::Verdict verdict = policy_.failed();
      wait_ = verdict.wait;
      if (verdict.quarantined) stage_ = Stage::quarantined;
    }
    return come_back();
  }
  // The thread that ends this instance may have found no process to end meanwhile: either it sees
  // the new one, or this thread sees the stage.
  bool wanted = false;
  {
    std::lock_guard lock(mutex_);
    wanted = stage_ == Stage::restarting;
  }
  if (wanted) {
    restart();
  } else {
    link_.kill("was ended");
  }
  return true;
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
  bool came_back = false;
  {
    std::lock_guard lock(mutex_);
    if (stage_ != Stage::starting && stage_ != Stage::restarting) return;
    came_back = stage_ == Stage::restarting;
    stage_ = Stage::serving;
    reason_.clear();
    if (came_back) ++restarts_;
  }
  calls_.open(life);
  if (!came_back) return;
  log(GANTRY_LOG_NOTICE, "its worker process is back");
  if (place_.changed) place_.changed();
}

}  // namespace gantry::host
