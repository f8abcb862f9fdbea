// host/worker/worker_calls.hpp: the calls that are in a worker, and what it may do with
// them.
//
// A worker names a call by its id; who the caller is, until when it may run and what it may do are
// known here and never read from a frame. What a worker asks is carried out through the contract's
// own tables, so that the host's rules are the same for plugins in a process of their own.
//
// A call can only be ended by who reads, or by the last nested call under it; so between those it
// is there. No lock is held while the host's tables run. enter(): any thread; the rest: one thread
// at a time, the one that reads, unless said otherwise. That is the reader, or for a moment the
// thread in enter(), which looks for the answer of its own call.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>

#include "host/base/fair_queue.hpp"
#include "host/plugin/generation.hpp"
#include "host/worker/messages.hpp"
#include "host/worker/ticket.hpp"

namespace gantry::host::worker {

// How calls reach the worker.
class Outlet {
 public:
  virtual ~Outlet() = default;
  // One frame to the worker of that life, if it still is; never waits. Any thread.
  virtual void send(std::uint64_t life, std::string_view frame) = 0;
  // The reader looks at next_kill() again. Any thread.
  virtual void wake() = 0;
  // A call came to its end. Any thread.
  virtual void answered() = 0;
  // Whether a line of so many bytes that the worker logs is kept; counts what is not. Any thread.
  virtual bool may_log(std::size_t bytes) = 0;
};

class WorkerCalls {
 public:
  using Time = std::chrono::steady_clock::time_point;

  WorkerCalls(HostServices& services, Generation& plugin, Outlet& outlet);
  ~WorkerCalls();

  // As Instance::invoke(). At most `worker.calls` calls are in the worker, others wait here and are
  // served in turn by their callers; a caller with none inside is let in beyond that, up to a
  // quarter more in all, since others that came first may stay long. Nested calls always get in:
  // the call above them may be inside, and waits. Waits for a plugin that is not re-entrant until
  // it has returned. Where quick calls follow each other this one has often ended when it returns;
  // what hears of its end, or of that of others, must not wait for this worker.
  gantry_status enter(std::string_view kind, std::string_view name, gantry_call* call);

  // Calls enter the worker of this life from here on, those that waited first.
  void open(std::uint64_t life);
  // A process is there; what its plugin asks before open() is answered to it.
  void attach(std::uint64_t life) { life_ = life; }
  // What is in the worker ends with `sentence`. New calls wait for the next open() if `may_wait`,
  // else they and those that wait already end with `later`.
  void lose(const std::string& sentence, bool may_wait, const std::string& later);

  // Until nothing that was posted to the pool is under way. Not on a thread of the pool.
  void wait_for_jobs();

  // Carries out a frame about a call or the instance; the error says how it broke the rules.
  Status take(const Frame& frame);

  // When overdue() wants to be asked; Time::max() for never. Any thread.
  Time next_kill();
  // A call that is over and was not left in time: what to say of the worker that will be killed.
  std::optional<std::string> overdue(Time now);

 private:
  using TicketPtr = std::shared_ptr<Ticket>;
  enum class Gate { closed, waiting, open };
  struct NestedJob;

  TicketPtr make_ticket(std::string_view kind, std::string_view name, gantry_call* call);
  std::uint64_t new_id_locked();
  void admit(const TicketPtr& ticket);
  bool has_place_locked() const;
  void send_locked(Ticket& ticket);
  void fill_places_locked();
  std::vector<TicketPtr> take_waiting_locked();
  std::string entry_frame(const Ticket& ticket) const;
  static void cancelled(void* context);
  void cancel(Ticket& ticket);
  void end_unsent(const TicketPtr& ticket, gantry_status status, const std::string& sentence);

  TicketPtr find(std::uint64_t id);
  void end(const TicketPtr& ticket, Ticket::Ending ending);
  void finish(const TicketPtr& ticket, const Ticket::Ending& ending);
  void remove(Ticket& ticket);
  void use(Ticket& ticket);
  void let_go(const TicketPtr& ticket);

  // Frames (host_side.cpp, nested_side.cpp).
  Status take_of_call(const Frame& frame, const TicketPtr& ticket);
  Status returned(const Frame& frame, const TicketPtr& ticket);
  Status finished(const Frame& frame, const TicketPtr& ticket);
  Status wrote(const Frame& frame, Ticket& ticket);
  Status told(const Frame& frame, Ticket& ticket);
  Status asked_input(const Frame& frame, Ticket& ticket);
  Status asked_task(const Frame& frame, Ticket& ticket);
  Status asked_catalog(const Frame& frame, Ticket& ticket);
  Status asked_instance(const Frame& frame);
  Status changed(const Frame& frame);
  Status offered(const Frame& frame);
  Status nested(const Frame& frame, const TicketPtr& ticket);
  void run_nested(const std::shared_ptr<NestedJob>& job);
  void start_nested(const std::shared_ptr<NestedJob>& job);
  gantry_status apply(const Ticket& ticket, BodyReader& writes, bool& well_formed) const;
  void reply(const Frame& to, gantry_status status);
  void reply(const Frame& to, gantry_status status, std::string_view text);
  void post(const gantry_call* call, std::function<void()> work);
  void begin_job();
  void end_job();

  // Null when the plugin's manifest does not ask for it.
  template <class Table>
  const Table* table(const char* id) const {
    return static_cast<const Table*>(plugin_.service(id));
  }

  HostServices& services_;
  Generation& plugin_;
  Outlet& outlet_;
  const gantry_call_api* const api_;

  std::mutex mutex_;
  Gate gate_ = Gate::closed;
  std::string why_closed_;
  std::atomic<std::uint64_t> life_{0};
  std::map<std::uint64_t, TicketPtr> tickets_;
  FairQueue<TicketPtr> waiting_;           // and how many of each group are inside
  std::vector<TicketPtr> nested_waiting_;  // for the gate alone
  int inside_ = 0;                         // sent and not over
  std::vector<std::uint64_t> random_;
  std::mutex jobs_mutex_;
  std::condition_variable no_jobs_;
  int jobs_ = 0;  // on the pool, or waited for by it; each uses this object to its end
  std::mutex offer_mutex_;
  std::string last_offer_;
};

}  // namespace gantry::host::worker
