#include "host/http/server.hpp"

#include <pistache/listener.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <latch>
#include <mutex>
#include <thread>

#include "host/http/accept/listening_socket.hpp"
#include "host/http/loop.hpp"

namespace gantry::host::http {
namespace {

constexpr int kBacklog = 1024;
// Descriptors for other uses than connections: database, plugins, log, and the threads' own.
constexpr std::size_t kReserve = 64;

std::size_t connection_cap(std::size_t wanted) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  std::size_t reserve = std::max<std::size_t>(kReserve, limit.rlim_cur / 8);
  std::size_t room = limit.rlim_cur > reserve + 16 ? limit.rlim_cur - reserve : 16;
  return wanted == 0 ? room : std::min(wanted, room);
}

std::string in_brackets(const std::string& address) {
  bool bare_v6 = address.find(':') != address.npos && address.front() != '[';
  return bare_v6 ? "[" + address + "]" : address;
}

// For threads that Pistache starts meanwhile: they inherit the name, and a mask that blocks every
// signal, which are for main.
class InheritedByThreads {
 public:
  explicit InheritedByThreads(const char* name) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask_);
    pthread_getname_np(pthread_self(), name_.data(), name_.size());
    pthread_setname_np(pthread_self(), name);
  }
  ~InheritedByThreads() {
    pthread_setname_np(pthread_self(), name_.data());
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  InheritedByThreads(const InheritedByThreads&) = delete;
  InheritedByThreads& operator=(const InheritedByThreads&) = delete;

 private:
  sigset_t mask_;
  std::array<char, 16> name_{};
};

class PistacheServer final : public Server {
 public:
  PistacheServer(const Options& options, const Limits& limits, Handler& handler)
      : state_(std::make_shared<ServerState>(limits, handler, options.unread)),
        registry_(std::make_shared<LoopRegistry>()) {}
  ~PistacheServer() override { stop(); }

  void listen(const Options& options);

  std::uint16_t port() const override { return port_; }
  Counters counters() const override;
  std::size_t capacity() const override { return state_->limits.connections; }
  void begin_drain() override;
  bool wait_idle(std::chrono::steady_clock::time_point deadline) override;
  void stop() override;

 private:
  std::uint64_t active() const;
  void name_threads();
  void stop_accepting();
  void on_each_loop(void (Loop::*what)());
  void wait_closed(std::chrono::milliseconds most);

  std::shared_ptr<ServerState> state_;
  std::shared_ptr<LoopRegistry> registry_;
  std::unique_ptr<Pistache::Tcp::Listener> listener_;
  std::uint16_t port_ = 0;
  bool running_ = false;
  std::mutex stopping_;
};

void PistacheServer::listen(const Options& options) {
  namespace tcp = Pistache::Tcp;
  Pistache::Address address(in_brackets(options.address), Pistache::Port(options.port));
  listener_ = std::make_unique<tcp::Listener>(address);
  listener_->init(std::max<std::size_t>(1, options.io_threads),
                  Pistache::Flags<tcp::Options>(tcp::Options::ReuseAddr) | tcp::Options::NoDelay |
                      tcp::Options::CloseOnExec,
                  "gantry-io", kBacklog);
  listener_->setTransportFactory([this] { return std::make_shared<Loop>(state_, registry_); });
  listener_->bind();
  port_ = static_cast<std::uint16_t>(listener_->getPort());
  {
    const InheritedByThreads accepting("gantry-accept");
    listener_->runThreaded();
  }
  running_ = true;
  name_threads();
}

// Pistache gives all I/O threads one name.
void PistacheServer::name_threads() {
  std::size_t i = 0;
  for (const auto& loop : registry_->all()) {
    loop->mailbox->post([name = "gantry-io-" + std::to_string(i++)](Loop&) {
      pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    });
  }
}

Counters PistacheServer::counters() const {
  Counters sum;
  sum.connections = state_->connections.load();
  sum.pending = {state_->pending->held(), state_->pending->refused()};
  sum.unread = {state_->unread->held(), state_->unread->refused()};
  for (const auto& loop : registry_->all()) {
    const auto& t = loop->tallies;
    sum.active += t.active.get();
    sum.streams += t.streams.get();
    sum.accepted += t.accepted.get();
    sum.refused += t.refused.get();
    sum.requests += t.requests.get();
    sum.rejected += t.rejected.get();
    sum.timeouts += t.timeouts.get();
    sum.slow_cut += t.slow_cut.get();
    sum.failures += t.failures.get();
    sum.bytes_received += t.received.get();
    sum.bytes_sent += t.sent.get();
  }
  return sum;
}

void PistacheServer::begin_drain() { state_->draining.store(true); }

std::uint64_t PistacheServer::active() const {
  std::uint64_t sum = 0;
  for (const auto& loop : registry_->all()) sum += loop->tallies.active.get();
  return sum;
}

bool PistacheServer::wait_idle(std::chrono::steady_clock::time_point deadline) {
  for (const auto& loop : registry_->all()) {
    loop->mailbox->post([loop](Loop&) { loop->report_idle(); });
  }
  std::unique_lock lock(state_->idle_mutex);
  return state_->idle.wait_until(lock, deadline, [this] { return active() == 0; });
}

// Until all clients that have connected are with the I/O threads. These look for them at a pace,
// because Pistache can lose the wake-up of its queue (Loop::take_queued_peers()).
void PistacheServer::stop_accepting() {
  constexpr std::chrono::milliseconds kPace{5};
  ListeningSocket socket(port_);
  state_->last_client.store(socket.last_client());
  if (socket.connect_last_client()) {
    const auto deadline = std::chrono::steady_clock::now() + state_->limits.last_requests;
    while (state_->last_client != 0 && std::chrono::steady_clock::now() < deadline) {
      on_each_loop(&Loop::take_queued_peers);
      std::unique_lock lock(state_->idle_mutex);
      state_->idle.wait_for(lock, kPace, [this] { return state_->last_client == 0; });
    }
  }
  socket.close();
}

void PistacheServer::on_each_loop(void (Loop::*what)()) {
  const auto loops = registry_->all();
  const auto done = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(loops.size()));
  for (const auto& loop : loops) {
    loop->mailbox->post([done, what](Loop& l) {
      (l.*what)();
      done->count_down();
    });
  }
  done->wait();
}

void PistacheServer::wait_closed(std::chrono::milliseconds most) {
  std::unique_lock lock(state_->idle_mutex);
  state_->idle.wait_for(lock, most, [this] { return state_->connections.load() == 0; });
}

void PistacheServer::stop() {
  std::lock_guard lock(stopping_);
  if (!running_) return;
  running_ = false;
  state_->draining.store(true);
  stop_accepting();
  on_each_loop(&Loop::read_last);
  wait_closed(state_->limits.last_requests);
  on_each_loop(&Loop::end_reading);
  wait_closed(state_->limits.linger);
  on_each_loop(&Loop::close_all);
  listener_.reset();  // joins the threads
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(const Options& options, Handler& handler) {
  Limits limits = options.limits;
  limits.connections = connection_cap(limits.connections);
  auto server = std::make_unique<PistacheServer>(options, limits, handler);
  try {
    server->listen(options);
  } catch (const std::exception& e) {
    return Status::failed("cannot listen on " + in_brackets(options.address) + ":" +
                          std::to_string(options.port) + ": " + e.what() +
                          "; choose another address or port");
  }
  return std::unique_ptr<Server>(std::move(server));
}

Result<std::size_t> raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return Status::failed(std::string("cannot read the descriptor limit: ") + std::strerror(errno));
  }
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return Status::failed(std::string("cannot raise the descriptor limit: ") +
                          std::strerror(errno));
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace gantry::host::http
