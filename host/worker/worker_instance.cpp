#include "host/worker/worker_instance.hpp"

#include <future>
#include <utility>

#include "host/worker/messages.hpp"
#include "host/worker/sandbox.hpp"

namespace gantry::host {
namespace {

using Steady = std::chrono::steady_clock;
using worker::FrameType;

constexpr std::chrono::milliseconds kGrace{200}, kExitTime{1000};

const char* step_name(FrameType type) {
  switch (type) {
    case FrameType::create:
      return "create()";
    case FrameType::start:
      return "start()";
    case FrameType::stop:
      return "stop()";
    default:
      return "destroy()";
  }
}

}  // namespace

WorkerInstance::WorkerInstance(Origin origin, SealedFilePtr library, HostServices& services,
                               LogSink log, WorkerPlace place)
    : Generation(std::move(origin), services, std::move(log)),
      place_(std::move(place)),
      library_(std::move(library)),
      calls_(services, *this, *this),
      policy_(settings_.worker, place_.clock),
      log_budget_(settings_.worker.log_bytes, place_.clock) {
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
  // What is tried will have all of the host's memory.
  if (place_.trial != Trial::none) start.limits.memory_bytes = 0;
  start.trial = place_.trial;
  start.unloads = manifest_.unloadable;
  milestones_ = 0;
  start.log = [this](std::string_view, int level, std::string_view line) {
    if (may_log(line.size())) log(level, line);
  };
  start.ended = [](const std::string&) {};
  auto process = place_.keeper.spawn(std::move(start));
  if (!process) return process.status();
  auto link = std::make_shared<Link>(std::move(*process));
  std::lock_guard lock(link_mutex_);
  link_ = std::move(link);
  calls_.attach(++life_);
  return Status::ok();
}

Status WorkerInstance::create() {
  take_reason();
  if (Status status = spawn(); !status) return status;
  thread_ = std::thread([this] { live(); });
  return status_of("create()", run_step(FrameType::create, Steady::now() + place_.step_time));
}

Status WorkerInstance::start() {
  take_reason();
  may_offer_ = true;
  const Status status =
      status_of("start()", run_step(FrameType::start, Steady::now() + place_.step_time));
  if (status) {
    serve();
  } else {
    may_offer_ = false;
  }
  return status;
}

void WorkerInstance::stop(std::chrono::steady_clock::time_point deadline) {
  may_offer_ = false;
  bool was_serving = false;
  {
    std::lock_guard lock(mutex_);
    was_serving = stage_ == Stage::serving;
    stage_ = Stage::ending;
  }
  changed_.notify_all();
  if (!was_serving) return kill("was ended");
  const StepEnd end = run_step(FrameType::stop, deadline + kGrace);
  if (end.status >= 0) return;
  const std::string& why = end.reason;
  log(GANTRY_LOG_ERROR, "stop() failed with status " + std::to_string(end.status) +
                            (why.empty() ? "" : ": " + why) + "; its worker process is ended");
}

void WorkerInstance::destroy() {
  {
    std::lock_guard lock(mutex_);
    stage_ = Stage::ending;
  }
  changed_.notify_all();
  const StepEnd end = run_step(FrameType::destroy, Steady::now() + place_.step_time);
  is_destroyed_ = end.status >= 0;
  if (end.status < 0 && !end.reason.empty()) log(GANTRY_LOG_WARNING, "destroy(): " + end.reason);
}

std::string WorkerInstance::end_of_trial() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return !end_.empty(); };
  if (!changed_.wait_for(lock, place_.step_time, is_over)) {
    lock.unlock();
    kill("hung: it did not end in time");
    lock.lock();
    changed_.wait(lock, is_over);
  }
  return end_;
}

bool WorkerInstance::close() {
  if (!thread_.joinable()) return true;
  {
    std::lock_guard lock(mutex_);
    stage_ = Stage::ending;
  }
  changed_.notify_all();
  std::shared_ptr<Link> link;
  {
    std::lock_guard lock(link_mutex_);
    link = link_;
  }
  if (link) {
    link->channel.shut();
    if (!link->process->wait_until(Steady::now() + kExitTime)) kill("was ended");
    link.reset();
  }
  thread_.join();
  calls_.wait_for_jobs();
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
  std::lock_guard lock(link_mutex_);
  if (link_) health.pid = link_->process->pid();
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

void WorkerInstance::send(std::uint64_t life, std::string_view frame) {
  std::lock_guard lock(link_mutex_);
  if (!link_ || life != life_) return;
  if (!link_->channel.send(frame)) link_->process->kill("hung: it reads nothing from the host");
}

void WorkerInstance::wake() {
  std::lock_guard lock(link_mutex_);
  if (link_) link_->channel.wake();
}

void WorkerInstance::answered() {
  policy_.answered();
  std::lock_guard lock(link_mutex_);
  if (link_) link_->process->answered();
}

// What was dropped is said by the worker's thread.
bool WorkerInstance::may_log(std::size_t bytes) {
  const LogBudget::Verdict verdict = log_budget_.take(bytes);
  if (verdict == LogBudget::Verdict::first_drop) wake();
  return verdict == LogBudget::Verdict::keep;
}

void WorkerInstance::kill(std::string why) {
  std::lock_guard lock(link_mutex_);
  if (link_) link_->process->kill(std::move(why));
}

worker::FrameWriter WorkerInstance::step_frame(FrameType type, std::uint64_t request,
                                               Time deadline) {
  worker::FrameWriter frame(type, 0, request);
  if (type == FrameType::stop) {
    const auto since = (deadline - kGrace).time_since_epoch();
    frame.number(static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(since).count()));
  }
  if (type != FrameType::create) return frame;
  worker::Setup setup{settings_.config, {}};
  const std::vector<std::string> asked = manifest_.asked();  // the frame points into it
  for (const std::string& id : asked) {
    if (service(id) != nullptr) setup.services.push_back(id);
  }
  setup.put_into(frame);
  return frame;
}

void WorkerInstance::begin_step(FrameType type, Time deadline, StepDone done) {
  std::uint64_t life = 0;
  bool alive = false;
  {
    std::lock_guard lock(link_mutex_);
    life = life_;
    alive = link_ != nullptr;
  }
  std::uint64_t request = 0;
  {
    std::lock_guard lock(mutex_);
    request = ++steps_;
    step_ = Step{request, step_name(type), deadline, std::move(done)};
  }
  worker::FrameWriter frame = step_frame(type, request, deadline);
  if (!alive) return end_step(request, {});
  if (!frame.fits()) return end_step(request, {GANTRY_TOO_BIG, "its configuration is too large"});
  send(life, frame.bytes());
  wake();  // to look at the deadline
  std::unique_lock lock(link_mutex_);
  if (link_ && life == life_) return;
  lock.unlock();
  end_step(request, {});  // it went between
}

void WorkerInstance::end_step(std::uint64_t request, const StepEnd& end) {
  StepDone done;
  {
    std::lock_guard lock(mutex_);
    if (!step_ || step_->request != request) return;
    done = std::move(step_->done);
    step_.reset();
  }
  done(end);
}

// On the control thread.
WorkerInstance::StepEnd WorkerInstance::run_step(FrameType type, Time deadline) {
  std::promise<StepEnd> promise;
  auto future = promise.get_future();
  begin_step(type, deadline, [&promise](const StepEnd& end) { promise.set_value(end); });
  return future.get();
}

Status WorkerInstance::status_of(const char* step, const StepEnd& end) {
  if (end.status >= 0) return Status::ok();
  if (!end.reason.empty()) return {end.status, end.reason};
  return failed(step, end.status);
}

}  // namespace gantry::host
