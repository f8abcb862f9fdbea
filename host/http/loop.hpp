// host/http/loop.hpp (private): one I/O thread: Pistache's reactor, our connections.
//
// Pistache accepts, spreads connections over its threads and waits for events. Its own reading,
// writing, parsing and timers are not used: every event of a connection is handled here, and
// only those of Pistache's queue of new connections are passed on. I/O thread only, except
// state().
#pragma once

#include <pistache/peer.h>
#include <pistache/transport.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "host/http/connection_table.hpp"
#include "host/http/loop_state.hpp"

namespace gantry::host::http {

// The threads' states, collected as Pistache clones the transport for each.
class LoopRegistry {
 public:
  void add(std::shared_ptr<LoopState> state);
  std::vector<std::shared_ptr<LoopState>> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<LoopState>> states_;
};

// Pistache asks for a handler per transport; this one passes new connections on.
class PeerHandler final : public Pistache::Tcp::Handler {
 public:
  PROTOTYPE_OF(Pistache::Tcp::Handler, PeerHandler)
  void onInput(const char*, std::size_t, const std::shared_ptr<Pistache::Tcp::Peer>&) override {}
  void onConnection(const std::shared_ptr<Pistache::Tcp::Peer>& peer) override;
};

// It has more than twenty methods: those that Pistache prescribes, one for each kind of event, and
// the steps of the end of the server.
class Loop final : public Pistache::Tcp::Transport {
 public:
  // `registry` is where clones enter themselves; the prototype is never run.
  Loop(std::shared_ptr<ServerState> server, std::shared_ptr<LoopRegistry> registry);
  ~Loop() override;

  std::shared_ptr<Pistache::Aio::Handler> clone() const override;
  void registerPoller(Pistache::Polling::Epoll& poller) override;
  void onReady(const Pistache::Aio::FdSet& events) override;

  void adopt(const std::shared_ptr<Pistache::Tcp::Peer>& peer);

  // Calls work(connection) if that very connection is still there.
  template <class Work>
  void with(Target target, Work& work) {
    Connection* c = connections_.find(target);
    if (!c) return;
    work(*c);
    settle(*c);
  }
  // Takes in the connections that Pistache has left in the thread's queue.
  void take_queued_peers();
  // The end of the server, in three steps. Answers what has arrived, closes idle connections and
  // cuts those whose answer is pending.
  void read_last();
  // Refuses requests that are not yet complete, and closes connections without one.
  void end_reading();
  // Cuts what is left.
  void close_all();

 private:
  void pass_on(const Pistache::Polling::Event& event);
  void on_event(int fd, const Pistache::Polling::Event& event);
  void settle(Connection& c);
  void drop(Connection& c);
  void arm(Connection& c);
  void refuse(int fd);
  bool is_last_client(int fd) const;
  void end_accepting(int fd);
  void run_tasks();
  void tick();
  // An exception that left onReady would end the process.
  template <class Work>
  void guarded(Work work);
  void each(void (Connection::*what)());

  std::shared_ptr<ServerState> server_;
  std::shared_ptr<LoopRegistry> registry_;
  std::shared_ptr<LoopState> state_;
  ConnectionTable connections_;
  std::vector<Mailbox::Task> tasks_;  // reused memory
  std::optional<Pistache::Polling::Tag>
      peer_queue_;  // Pistache's queue of new connections, once seen
  int timer_ = -1;
};

}  // namespace gantry::host::http
