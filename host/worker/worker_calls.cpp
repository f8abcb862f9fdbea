#include "host/worker/worker_calls.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "host/plugin/contract_bytes.hpp"
#include "host/worker/messages.hpp"
#include "host/worker/writes.hpp"
#include "sdk/contract/call_state.hpp"

namespace gantry::host::worker {
namespace {

// Taken from the kernel 256 bytes at a time, which it gives whole. Aborts when it gives none: an id
// that can be guessed is worse than no service.
std::uint64_t random_id() {
  thread_local std::vector<std::uint64_t> numbers;
  if (numbers.empty()) {
    numbers.resize(32);
    constexpr std::size_t kWanted = 32 * sizeof(std::uint64_t);
    if (::getrandom(numbers.data(), kWanted, 0) != ssize_t{kWanted}) std::abort();
  }
  const std::uint64_t number = numbers.back();
  numbers.pop_back();
  return number;
}

std::string entry_frame(const Ticket& ticket, const gantry_call_api& api,
                        const gantry_input_api* input) {
  const auto property = [&](std::string_view key) {
    return view(api.property(ticket.call, bytes_of(key)));
  };
  Entry entry;
  entry.kind = ticket.kind;
  entry.name = ticket.name;
  entry.arguments = view(api.arguments(ticket.call));
  entry.deadline = api.deadline(ticket.call);
  entry.agent = property("agent");
  entry.protocol = property("protocol");
  entry.correlation_id = property("correlation_id");
  entry.max_answer_bytes = property("max_answer_bytes");
  if (input != nullptr) entry.state = view(input->state(ticket.call));
  entry.room = ticket.facts.room;
  FrameWriter frame(FrameType::invoke, ticket.id);
  entry.put_into(frame);
  return std::move(frame.bytes());
}

bool may_be_late(const Ticket& ticket) {
  return ticket.cancelled && ticket.users == 0 && ticket.was_sent();
}

}  // namespace

WorkerCalls::WorkerCalls(HostServices& services, Generation& plugin, Outlet& outlet, Jobs& jobs)
    : services_(services),
      plugin_(plugin),
      outlet_(outlet),
      jobs_(jobs),
      api_(static_cast<const gantry_call_api*>(services.service(GANTRY_CALL_SERVICE))),
      places_(plugin.settings().worker.calls) {}

WorkerCalls::TicketPtr WorkerCalls::make_ticket(std::string_view kind, std::string_view name,
                                                gantry_call* call) {
  auto ticket = std::make_shared<Ticket>();
  ticket->calls = this;
  ticket->call = call;
  ticket->kind = kind;
  ticket->name = name;
  ticket->facts = services_.call_info(*call);
  std::lock_guard lock(mutex_);
  do {
    ticket->id = random_id();
  } while (ticket->id == 0 || !tickets_.emplace(ticket->id, ticket).second);
  return ticket;
}

gantry_status WorkerCalls::enter(std::string_view kind, std::string_view name, gantry_call* call) {
  const TicketPtr ticket = make_ticket(kind, name, call);
  const bool has_input = plugin_.manifest().asks_for(GANTRY_INPUT_SERVICE);
  const auto* input = static_cast<const gantry_input_api*>(
      has_input ? services_.service(GANTRY_INPUT_SERVICE) : nullptr);
  ticket->frame = entry_frame(*ticket, *api_, input);
  // Before it is sent, since a call whose cancellation is not heard could stay for ever. The
  // callback runs on any thread, while the host holds its lock of the call's callbacks.
  const auto cancelled = [](void* context) {
    auto& of = *static_cast<Ticket*>(context);
    of.calls->cancel(of);
  };
  if (api_->on_cancel(call, cancelled, ticket.get()) < 0) {
    end_unsent(ticket, GANTRY_FAILED, "The call cannot be watched");
    return GANTRY_PENDING;
  }
  admit(ticket);
  if (!plugin_.manifest().reentrant) {
    services_.blocking([&] { ticket->out.acquire(); });
  }
  return GANTRY_PENDING;
}

void WorkerCalls::admit(const TicketPtr& ticket) {
  std::unique_lock lock(mutex_);
  if (ticket->state != Ticket::State::waiting) return;  // cancelled, and over
  if (gate_ == Gate::closed) {
    const std::string sentence = why_closed_;
    lock.unlock();
    return end_unsent(ticket, GANTRY_FAILED, sentence);
  }
  places_.add(ticket);
  fill_places_locked();
}

void WorkerCalls::fill_places_locked() {
  if (gate_ != Gate::open) return;
  while (const TicketPtr ticket = places_.next()) {
    ticket->state = Ticket::State::sent;
    outlet_.send(life_, ticket->frame);
    ticket->frame = {};
  }
}

void WorkerCalls::cancel(Ticket& raw) {
  std::unique_lock lock(mutex_);
  const TicketPtr ticket = raw.shared_from_this();
  ticket->cancelled = true;
  ticket->kill_at = std::chrono::steady_clock::now() + plugin_.settings().worker.kill_after;
  if (ticket->state == Ticket::State::waiting) {
    places_.remove(ticket);
    lock.unlock();
    return end_unsent(ticket, GANTRY_CANCELLED, {});
  }
  if (ticket->state != Ticket::State::sent) return;
  FrameWriter frame(FrameType::cancel, ticket->id);
  outlet_.send(life_, frame.bytes());
  lock.unlock();
  outlet_.wake();
}

// A call that was never sent to the worker.
void WorkerCalls::end_unsent(const TicketPtr& ticket, gantry_status status,
                             const std::string& sentence) {
  {
    std::lock_guard lock(mutex_);
    if (ticket->state != Ticket::State::waiting) return;
    ticket->state = Ticket::State::refused;
  }
  if (!sentence.empty()) {
    api_->fail(ticket->call, bytes_of("internal_error"), bytes_of(sentence), {nullptr, 0});
  }
  api_->finish(ticket->call, status);
  std::lock_guard lock(mutex_);
  tickets_.erase(ticket->id);
  ticket->let_out();
}

void WorkerCalls::open(std::uint64_t life) {
  std::lock_guard lock(mutex_);
  life_ = life;
  gate_ = Gate::open;
  fill_places_locked();
}

void WorkerCalls::lose(const std::string& sentence, bool may_wait, const std::string& later) {
  std::vector<TicketPtr> inside, refused;
  {
    std::lock_guard lock(mutex_);
    gate_ = may_wait ? Gate::waiting : Gate::closed;
    why_closed_ = later;
    for (const auto& [id, ticket] : tickets_) {
      if (!ticket->was_sent()) continue;
      if (ticket->state == Ticket::State::sent) inside.push_back(ticket);
      ticket->returned = true;
      ticket->let_out();
    }
    if (!may_wait) refused = places_.take_waiting();
  }
  for (const TicketPtr& ticket : inside) end(ticket, {GANTRY_FAILED, sentence, true});
  for (const TicketPtr& ticket : refused) end_unsent(ticket, GANTRY_FAILED, later);
  // Those that were over in the host and had not been left yet.
  std::vector<TicketPtr> left;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, ticket] : tickets_) {
      if (ticket->state == Ticket::State::over) left.push_back(ticket);
    }
  }
  for (const TicketPtr& ticket : left) remove(*ticket);
}

WorkerCalls::TicketPtr WorkerCalls::find(std::uint64_t id) {
  std::lock_guard lock(mutex_);
  const auto it = tickets_.find(id);
  return it == tickets_.end() ? nullptr : it->second;
}

bool WorkerCalls::is_inside(const Ticket& ticket) {
  std::lock_guard lock(mutex_);
  return ticket.state == Ticket::State::sent;
}

Status WorkerCalls::returned(const TicketPtr& ticket, gantry_status status,
                             std::string_view writes) {
  bool ended_before = false, over = false;
  {
    std::lock_guard lock(mutex_);
    if (ticket->returned || !ticket->was_sent()) {
      return Status::invalid("a second return from the same call");
    }
    ticket->returned = true;
    ticket->let_out();
    ended_before = ticket->state != Ticket::State::sent;
    over = ticket->state == Ticket::State::over;
  }
  if (status != GANTRY_PENDING && !ended_before) {
    end(ticket, {status, std::string(writes)});
    return Status::ok();
  }
  if (status != GANTRY_PENDING) {
    plugin_.log(GANTRY_LOG_ERROR, ticket->kind + " '" + ticket->name +
                                      "': " + std::string(contract::kFinishedAndReturned));
  }
  if (over) remove(*ticket);
  return Status::ok();
}

void WorkerCalls::end(const TicketPtr& ticket, Ticket::Ending ending) {
  {
    std::lock_guard lock(mutex_);
    if (ticket->state != Ticket::State::sent) return;
    ticket->state = Ticket::State::ending;
    if (ticket->users > 0) {
      ticket->ending = std::move(ending);
      return;
    }
  }
  // The end is reported to a plugin's code, which may call this worker again.
  if (ticket->facts.ends_in_plugin) {
    auto shared = std::make_shared<Ticket::Ending>(std::move(ending));
    jobs_.post(ticket->call, [this, ticket, shared] { finish(ticket, *shared); });
  } else {
    finish(ticket, ending);
  }
}

void WorkerCalls::finish(const TicketPtr& ticket, const Ticket::Ending& ending) {
  if (ending.died) {
    api_->fail(ticket->call, bytes_of("internal_error"), bytes_of(ending.writes), {nullptr, 0});
  } else {
    BodyReader writes(ending.writes);
    bool well_formed = true;
    repeat_writes(*api_, ticket->call, writes, well_formed);
  }
  api_->finish(ticket->call, ending.status);
  outlet_.answered();
  bool left = false;
  {
    std::lock_guard lock(mutex_);
    ticket->state = Ticket::State::over;
    left = ticket->returned;
  }
  if (left) remove(*ticket);
}

// It has ended in the host and has left the plugin.
void WorkerCalls::remove(Ticket& raw) {
  std::lock_guard lock(mutex_);
  const auto it = tickets_.find(raw.id);
  if (it == tickets_.end()) return;
  const TicketPtr ticket = std::move(it->second);
  tickets_.erase(it);
  ticket->let_out();
  places_.leave(*ticket);
  fill_places_locked();
}

void WorkerCalls::use(Ticket& ticket) {
  std::lock_guard lock(mutex_);
  ++ticket.users;
}

void WorkerCalls::let_go(const TicketPtr& ticket) {
  std::optional<Ticket::Ending> ending;
  {
    std::lock_guard lock(mutex_);
    if (--ticket->users > 0) return;
    ticket->kill_at = std::chrono::steady_clock::now() + plugin_.settings().worker.kill_after;
    ending = std::exchange(ticket->ending, std::nullopt);
  }
  if (ending) finish(ticket, *ending);
}

WorkerCalls::Time WorkerCalls::next_kill() {
  std::lock_guard lock(mutex_);
  Time next = Time::max();
  for (const auto& [id, ticket] : tickets_) {
    if (may_be_late(*ticket)) next = std::min(next, ticket->kill_at);
  }
  return next;
}

std::optional<std::string> WorkerCalls::overdue(Time now) {
  std::lock_guard lock(mutex_);
  for (const auto& [id, ticket] : tickets_) {
    if (!may_be_late(*ticket) || ticket->kill_at > now) continue;
    return "hung: it was still in the " + ticket->kind + " '" + ticket->name + "' " +
           std::to_string(plugin_.settings().worker.kill_after.count()) +
           " ms after the end of that call";
  }
  return std::nullopt;
}

}  // namespace gantry::host::worker
