#include "host/http/loop.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "host/http/live_exchange.hpp"

namespace gantry::host::http {
namespace {

using Pistache::Polling::NotifyOn;

// One end of a connection.
struct End {
  std::string address;  // empty: there is none
  std::uint16_t port = 0;
};

// `ask`: getpeername or getsockname.
End end_of(int fd, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (ask(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  const bool is_v6 = address.ss_family == AF_INET6;
  const void* const bytes = is_v6 ? static_cast<const void*>(&v6.sin6_addr) : &v4.sin_addr;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (::inet_ntop(address.ss_family, bytes, text.data(), text.size()) == nullptr) return {};
  return {text.data(), ntohs(is_v6 ? v6.sin6_port : v4.sin_port)};
}

int make_timer(Limits::Duration tick) {
  int fd = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "timerfd");
  auto ms = std::max<std::int64_t>(1, tick.count());
  timespec period{ms / 1000, (ms % 1000) * 1'000'000};
  itimerspec spec{period, period};
  ::timerfd_settime(fd, 0, &spec, nullptr);
  return fd;
}

// Entry hides its Event base, and with it the only flag for "the peer has shut down".
const Pistache::Polling::Event& event_of(const Pistache::Aio::FdSet::Entry& entry) {
  return (const Pistache::Polling::Event&)entry;
}

}  // namespace

void LoopRegistry::add(std::shared_ptr<LoopState> state) {
  std::lock_guard lock(mutex_);
  states_.push_back(std::move(state));
}

std::vector<std::shared_ptr<LoopState>> LoopRegistry::all() const {
  std::lock_guard lock(mutex_);
  return states_;
}

template <class Work>
void Loop::guarded(Work work) {
  try {
    work();
  } catch (...) {
    state_->tallies.failures.add();
  }
}

void PeerHandler::onConnection(const std::shared_ptr<Pistache::Tcp::Peer>& peer) {
  static_cast<Loop*>(transport())->adopt(peer);
}

Loop::Loop(std::shared_ptr<ServerState> server, std::shared_ptr<LoopRegistry> registry)
    : Pistache::Tcp::Transport(std::make_shared<PeerHandler>()),
      server_(std::move(server)),
      registry_(std::move(registry)) {}

// The threads are joined: Pistache would leave these descriptors open.
Loop::~Loop() {
  if (timer_ >= 0) ::close(timer_);
  if (state_) state_->mailbox->close();
  for (const auto& [fd, peer] : peers) ::close(fd);
}

std::shared_ptr<Pistache::Aio::Handler> Loop::clone() const {
  return std::make_shared<Loop>(server_, registry_);
}

void Loop::registerPoller(Pistache::Polling::Epoll& poller) {
  Pistache::Tcp::Transport::registerPoller(poller);
  state_ = std::make_shared<LoopState>(server_);
  timer_ = make_timer(server_->limits.tick);
  Pistache::Flags<NotifyOn> read(NotifyOn::Read);
  int wake = state_->mailbox->fd();
  poller.addFd(wake, read, Pistache::Polling::Tag(static_cast<std::uint64_t>(wake)));
  poller.addFd(timer_, read, Pistache::Polling::Tag(static_cast<std::uint64_t>(timer_)));
  registry_->add(state_);
}

void Loop::onReady(const Pistache::Aio::FdSet& events) {
  state_->now = Clock::now();
  for (const auto& entry : events) {
    const auto& event = event_of(entry);
    int fd = static_cast<int>(event.tag.value());
    if (fd == state_->mailbox->fd()) {
      run_tasks();
    } else if (fd == timer_) {
      guarded([this] { tick(); });
    } else if (connections_.at(fd) || peers.count(fd) > 0) {
      guarded([&] { on_event(fd, event); });
    } else {
      guarded([&] { pass_on(event); });
    }
  }
}

// At once and alone: after new connections were taken in, an event of this batch may bear the
// number of a closed descriptor that one of them has got again. Were it passed on too, Pistache
// would read, and throw away, that connection's first bytes.
void Loop::pass_on(const Pistache::Polling::Event& event) {
  std::vector<Pistache::Polling::Event> one;
  one.emplace_back(event.tag).flags.setFlag(NotifyOn::Read);
  auto before = state_->tallies.accepted.get() + state_->tallies.refused.get();
  Pistache::Tcp::Transport::onReady(Pistache::Aio::FdSet(std::move(one)));
  bool adopted = state_->tallies.accepted.get() + state_->tallies.refused.get() != before;
  if (adopted) peer_queue_ = event.tag;
}

// Pistache empties its queue of new connections and then clears the queue's wake-up: one that is
// queued in between would wait for the next one to come.
void Loop::take_queued_peers() {
  if (peer_queue_) pass_on(Pistache::Polling::Event(*peer_queue_));
}

void Loop::run_tasks() {
  state_->mailbox->take(tasks_);
  for (const auto& task : tasks_) {
    guarded([&] {
      if (!task.writer) return task.work(*this);
      auto write = [&](Connection& c) { c.writer().events(task.writer->stream().take()); };
      with(task.writer->target(), write);
    });
  }
  tasks_.clear();
}

void Loop::adopt(const std::shared_ptr<Pistache::Tcp::Peer>& peer) {
  int fd = peer->fd();
  if (is_last_client(fd)) return end_accepting(fd);
  if (server_->connections.fetch_add(1) >= server_->limits.connections) return refuse(fd);
  connections_.add(std::make_unique<Connection>(fd, end_of(fd, ::getpeername).address, *state_));
  state_->tallies.accepted.add();
}

// The last client comes from the address that it goes to; the same port of another may be anyone.
// Pistache tells the port in the network's byte order.
bool Loop::is_last_client(int fd) const {
  const auto last = server_->last_client.load();
  if (last == 0) return false;
  const End peer = end_of(fd, ::getpeername);
  return peer.port == last && peer.address == end_of(fd, ::getsockname).address;
}

void Loop::end_accepting(int fd) {
  server_->last_client.store(0);
  state_->wake_idle();
  ::shutdown(fd, SHUT_RDWR);
}

// Pistache is about to register the descriptor: it can be closed only at its first event, which
// this shutdown brings about.
void Loop::refuse(int fd) {
  server_->connections.fetch_sub(1);
  state_->tallies.refused.add();
  constexpr std::string_view kFull =
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  (void)!::send(fd, kFull.data(), kFull.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(fd, SHUT_RDWR);
}

void Loop::on_event(int fd, const Pistache::Polling::Event& event) {
  Connection* c = connections_.at(fd);
  if (!c) return removePeer(std::shared_ptr(peers.at(fd)));  // refused above
  try {
    bool hangup = event.flags.hasFlag(NotifyOn::Hangup);
    bool shut = hangup || event.flags.hasFlag(NotifyOn::Shutdown);
    if (event.flags.hasFlag(NotifyOn::Write)) c->on_writable();
    if (shut || event.flags.hasFlag(NotifyOn::Read)) c->on_readable(shut);
    if (hangup) c->on_hangup();
  } catch (...) {
    state_->tallies.failures.add();
    c->die();
  }
  settle(*c);
}

void Loop::settle(Connection& c) {
  c.advance();
  if (c.dead()) return drop(c);
  if (c.wants_rearming()) arm(c);
  if (!c.wants_turn()) return;
  state_->mailbox->post([target = c.target()](Loop& loop) {
    auto read = [](Connection& again) { again.on_readable(true); };
    loop.with(target, read);
  });
}

void Loop::arm(Connection& c) {
  auto interest = NotifyOn::Read | NotifyOn::Shutdown;
  if (c.rearm()) interest = interest | NotifyOn::Write;
  reactor()->modifyFd(key(), c.target().fd, interest, Pistache::Polling::Mode::Edge);
}

// The one place where a connection ends.
void Loop::drop(Connection& c) {
  int fd = c.target().fd;
  const auto last = connections_.remove(fd);
  server_->connections.fetch_sub(1);
  removePeer(std::shared_ptr(peers.at(fd)));
  last->release();
  state_->note_done();
}

void Loop::each(void (Connection::*what)()) {
  connections_.each([&](Connection& c) {
    guarded([&] {
      (c.*what)();
      settle(c);
    });
  });
}

void Loop::tick() {
  std::uint64_t ignored;
  (void)!::read(timer_, &ignored, sizeof ignored);
  each(&Connection::on_tick);
  take_queued_peers();
}

void Loop::read_last() {
  state_->report_idle();
  take_queued_peers();
  each(&Connection::read_last);
}

void Loop::end_reading() { each(&Connection::end_reading); }

void Loop::close_all() { each(&Connection::die); }

}  // namespace gantry::host::http
