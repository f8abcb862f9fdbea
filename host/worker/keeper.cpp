#include "host/worker/keeper.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <thread>

#include "host/worker/assignment.hpp"
#include "host/worker/sandbox.hpp"
#include "host/worker/spare.hpp"

namespace gantry::host {
namespace {

using Milliseconds = std::chrono::milliseconds;
using WorkerPtr = std::shared_ptr<Worker>;

class Handle final : public WorkerProcess {
 public:
  explicit Handle(WorkerPtr worker) : worker_(std::move(worker)) {}
  ~Handle() override { worker_->kill("was ended"); }
  int socket() const override { return worker_->socket(); }
  pid_t pid() const override { return worker_->pid(); }
  void answered() noexcept override { worker_->answered(); }
  void kill(std::string why) override { worker_->kill(std::move(why)); }
  bool wait_until(std::chrono::steady_clock::time_point deadline) override {
    return worker_->wait_until(deadline);
  }
  std::string cause() const override { return worker_->cause(); }

 private:
  WorkerPtr worker_;
};

struct Order {
  WorkerStart start;
  std::promise<Result<WorkerPtr>> done;
};

class Keeper final : public WorkerKeeper {
 public:
  Keeper(int wake, std::filesystem::path temporary)
      : wake_(wake), temporary_(std::move(temporary)), thread_([this] { run(); }) {}
  ~Keeper() override;

  Result<std::unique_ptr<WorkerProcess>> spawn(WorkerStart start) override;

 private:
  void run();
  bool take_orders();
  Result<WorkerPtr> start(WorkerStart start);
  void wait();
  void serve(const std::vector<pollfd>& found);
  void look();
  int timeout() const;
  void nudge() const;

  const SystemClock clock_;
  const std::filesystem::path program_ = worker_program();
  const int wake_;
  std::mutex mutex_;
  std::vector<Order> orders_;
  bool ending_ = false;

  // The thread's own.
  TemporaryRoot temporary_;
  SpareWorker spare_{temporary_};
  std::vector<WorkerPtr> workers_;
  Milliseconds look_interval_{0};
  Clock::Instant look_next_{};

  std::thread thread_;  // last: it uses the others
};

// As the program at the other end reads them.
std::vector<std::string> words_for(const WorkerStart& start,
                                   const std::filesystem::path& temporary) {
  std::vector<std::string> out{start.plugin, confinement(start.limits, temporary)};
  if (start.trial != Trial::none) {
    out.emplace_back(start.trial == Trial::map ? "map" : "live");
    if (start.unloads) out.emplace_back("unload");
  }
  out.insert(out.end(), start.arguments.begin(), start.arguments.end());
  return out;
}

Keeper::~Keeper() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  nudge();
  thread_.join();
  ::close(wake_);
}

void Keeper::nudge() const {
  const std::uint64_t one = 1;
  while (::write(wake_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

Result<std::unique_ptr<WorkerProcess>> Keeper::spawn(WorkerStart start) {
  std::future<Result<WorkerPtr>> done;
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return Status::failed("the host ends; no worker process is started any more");
    done = orders_.emplace_back(Order{std::move(start), {}}).done.get_future();
  }
  nudge();
  Result<WorkerPtr> worker = done.get();
  if (!worker) return worker.status();
  return std::unique_ptr<WorkerProcess>(std::make_unique<Handle>(std::move(worker).value()));
}

Result<WorkerPtr> Keeper::start(WorkerStart start) {
  auto blank = spare_.take(start.program.empty() ? program_ : start.program);
  if (!blank) return blank.status();
  const Status assigned =
      send_assignment(blank->process.socket, words_for(start, blank->temporary->path()),
                      start.library ? start.library->fd() : -1);
  if (!assigned) return discard(blank->process), assigned;
  auto worker = std::make_shared<Worker>(std::move(start), blank->process,
                                         std::move(blank->temporary), clock_);
  const auto interval = worker->look_interval();
  look_interval_ = workers_.empty() ? interval : std::min(look_interval_, interval);
  const auto next = clock_.now() + look_interval_;
  look_next_ = workers_.empty() ? next : std::min(look_next_, next);
  workers_.push_back(worker);
  return worker;
}

// False when there is nothing left to do: the keeper ends and its workers are gone.
bool Keeper::take_orders() {
  std::vector<Order> orders;
  bool ending = false;
  {
    const std::lock_guard lock(mutex_);
    orders.swap(orders_);
    ending = ending_;
  }
  for (Order& order : orders) order.done.set_value(start(std::move(order.start)));
  if (!ending) return true;
  for (const WorkerPtr& worker : workers_) worker->kill("was ended: the host ends");
  return !workers_.empty();
}

void Keeper::run() {
  ::pthread_setname_np(::pthread_self(), "gantry-keeper");
  // Processes that a worker leaves behind become children of this one, which kills and reaps them.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  while (take_orders()) wait();
}

int Keeper::timeout() const {
  const bool owes = std::any_of(workers_.begin(), workers_.end(), [](const WorkerPtr& worker) {
    return worker->output().owes() || worker->errors().owes();
  });
  Milliseconds longest = owes ? Milliseconds(100) : Milliseconds::max();
  if (!workers_.empty()) {
    const auto left = std::chrono::ceil<Milliseconds>(look_next_ - clock_.now());
    longest = std::min(longest, std::max(left, Milliseconds(0)));
  }
  return longest == Milliseconds::max() ? -1 : static_cast<int>(longest.count());
}

// The two of the keeper's own, then three a worker; those that are closed or have had their share
// are left out.
void Keeper::wait() {
  std::vector<pollfd> set{{wake_, POLLIN, 0}, {spare_.pidfd(), POLLIN, 0}};
  for (const WorkerPtr& worker : workers_) {
    set.push_back({worker->pidfd(), POLLIN, 0});
    for (Stream* stream : {&worker->output(), &worker->errors()})
      set.push_back({stream->is_full() ? -1 : stream->fd(), POLLIN, 0});
  }
  if (::poll(set.data(), set.size(), timeout()) < 0) return;
  if (set[0].revents != 0) {
    std::uint64_t count = 0;
    while (::read(wake_, &count, sizeof count) < 0 && errno == EINTR) {
    }
  }
  if (set[1].revents != 0) spare_.drop();
  serve(set);
  look();
}

void Keeper::serve(const std::vector<pollfd>& found) {
  std::vector<WorkerPtr> dead;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const WorkerPtr& worker = workers_[i];
    worker->output().tick();
    worker->errors().tick();
    if (found[3 * i + 3].revents != 0) worker->output().read_some();
    if (found[3 * i + 4].revents != 0) worker->errors().read_some();
    if (found[3 * i + 2].revents != 0) dead.push_back(worker);
  }
  for (const WorkerPtr& worker : dead) {
    worker->bury();
    std::erase(workers_, worker);
  }
  // Not while a worker begins, whose start it would delay.
  if (!dead.empty()) spare_.prepare();
}

void Keeper::look() {
  if (workers_.empty() || clock_.now() < look_next_) return;
  for (const WorkerPtr& worker : workers_) worker->look();
  look_next_ = clock_.now() + look_interval_;
}

}  // namespace

Result<std::unique_ptr<WorkerKeeper>> WorkerKeeper::create(std::filesystem::path temporary) {
  const int wake = ::eventfd(0, EFD_CLOEXEC);
  if (wake < 0) {
    return Status::failed(std::string("cannot watch worker processes: ") + std::strerror(errno));
  }
  return std::unique_ptr<WorkerKeeper>(std::make_unique<Keeper>(wake, std::move(temporary)));
}

std::filesystem::path worker_program() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = program.parent_path() / "gantry-worker";
  if (std::filesystem::exists(beside, error)) return beside;
  return program.parent_path().parent_path() / "libexec" / "gantry" / "gantry-worker";
}

}  // namespace gantry::host
