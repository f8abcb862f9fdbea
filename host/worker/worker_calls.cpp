#include "host/worker/worker_calls.hpp"

#include <sys/random.h>

#include <algorithm>

namespace gantry::host::worker {
namespace {

constexpr std::size_t kRandomAtOnce = 64;

gantry_bytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(gantry_bytes bytes) { return {bytes.data, bytes.size}; }

}  // namespace

WorkerCalls::WorkerCalls(HostServices& services, Generation& plugin, Outlet& outlet)
    : services_(services),
      plugin_(plugin),
      outlet_(outlet),
      api_(static_cast<const gantry_call_api*>(services.service(GANTRY_CALL_SERVICE))) {}

WorkerCalls::~WorkerCalls() = default;

std::uint64_t WorkerCalls::new_id_locked() {
  for (;;) {
    if (random_.empty()) {
      random_.resize(kRandomAtOnce);
      const std::size_t wanted = random_.size() * sizeof random_[0];
      if (::getrandom(random_.data(), wanted, 0) != static_cast<ssize_t>(wanted)) continue;
    }
    const std::uint64_t id = random_.back();
    random_.pop_back();
    if (id != 0 && !tickets_.contains(id)) return id;
  }
}

WorkerCalls::TicketPtr WorkerCalls::make_ticket(std::string_view kind, std::string_view name,
                                                gantry_call* call) {
  auto ticket = std::make_shared<Ticket>();
  ticket->calls = this;
  ticket->call = call;
  ticket->kind = kind;
  ticket->name = name;
  ticket->facts = services_.call_info(*call);
  std::lock_guard lock(mutex_);
  ticket->id = new_id_locked();
  tickets_.emplace(ticket->id, ticket);
  return ticket;
}

gantry_status WorkerCalls::enter(std::string_view kind, std::string_view name, gantry_call* call) {
  const TicketPtr ticket = make_ticket(kind, name, call);
  ticket->frame = entry_frame(*ticket);
  // Before it is sent: a call whose cancellation is not heard would not be watched.
  if (api_->on_cancel(call, &WorkerCalls::cancelled, ticket.get()) < 0) {
    end_unsent(ticket, GANTRY_FAILED, "The call cannot be watched");
    return GANTRY_PENDING;
  }
  admit(ticket);
  if (!plugin_.manifest().reentrant) {
    services_.blocking([&] { ticket->out.acquire(); });
  }
  return GANTRY_PENDING;
}

// For the next one that waits.
bool WorkerCalls::has_place_locked() const {
  const int calls = plugin_.settings().worker.calls;
  return inside_ < calls || (waiting_.running_of_next() == 0 && inside_ < calls + calls / 4);
}

void WorkerCalls::admit(const TicketPtr& ticket) {
  std::unique_lock lock(mutex_);
  if (ticket->state != Ticket::State::waiting) return;  // cancelled, and over
  if (gate_ == Gate::closed) {
    const std::string sentence = why_closed_;
    lock.unlock();
    return end_unsent(ticket, GANTRY_FAILED, sentence);
  }
  if (ticket->facts.nested) {
    nested_waiting_.push_back(ticket);
  } else {
    waiting_.push(ticket->facts.group, ticket);
  }
  fill_places_locked();
}

void WorkerCalls::send_locked(Ticket& ticket) {
  ticket.state = Ticket::State::sent;
  ++inside_;
  outlet_.send(life_, ticket.frame);
  ticket.frame = {};
}

std::string WorkerCalls::entry_frame(const Ticket& ticket) const {
  const auto property = [&](std::string_view key) {
    return view(api_->property(ticket.call, bytes_of(key)));
  };
  Entry entry;
  entry.kind = ticket.kind;
  entry.name = ticket.name;
  entry.arguments = view(api_->arguments(ticket.call));
  entry.deadline = api_->deadline(ticket.call);
  entry.agent = property("agent");
  entry.protocol = property("protocol");
  entry.correlation_id = property("correlation_id");
  entry.max_answer_bytes = property("max_answer_bytes");
  if (const auto* input = table<gantry_input_api>(GANTRY_INPUT_SERVICE)) {
    entry.state = view(input->state(ticket.call));
  }
  entry.room = ticket.facts.room;
  FrameWriter frame(FrameType::invoke, ticket.id);
  entry.put_into(frame);
  return std::move(frame.bytes());
}

// On any thread, while the host's lock of the call's callbacks is held.
void WorkerCalls::cancelled(void* context) {
  auto& ticket = *static_cast<Ticket*>(context);
  ticket.calls->cancel(ticket);
}

void WorkerCalls::cancel(Ticket& raw) {
  std::unique_lock lock(mutex_);
  const TicketPtr ticket = raw.shared_from_this();
  ticket->cancelled = true;
  ticket->kill_at = std::chrono::steady_clock::now() + plugin_.settings().worker.kill_after;
  if (ticket->state == Ticket::State::waiting) {
    std::erase(nested_waiting_, ticket);
    if (!ticket->facts.nested) waiting_.remove(ticket->facts.group, ticket);
    lock.unlock();
    end_unsent(ticket, GANTRY_CANCELLED, {});
    return;
  }
  if (ticket->state != Ticket::State::sent) return;
  FrameWriter frame(FrameType::cancel, ticket->id);
  outlet_.send(life_, frame.bytes());
  lock.unlock();
  outlet_.wake();
}

// One that never got into the worker.
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

void WorkerCalls::fill_places_locked() {
  if (gate_ != Gate::open) return;
  for (const TicketPtr& ticket : std::exchange(nested_waiting_, {})) send_locked(*ticket);
  while (!waiting_.empty() && has_place_locked()) send_locked(*waiting_.take().work);
}

// All that wait, so that they are refused.
std::vector<WorkerCalls::TicketPtr> WorkerCalls::take_waiting_locked() {
  std::vector<TicketPtr> out = std::exchange(nested_waiting_, {});
  while (!waiting_.empty()) {
    auto taken = waiting_.take();
    waiting_.done(taken.group);
    out.push_back(std::move(taken.work));
  }
  return out;
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
    if (!may_wait) refused = take_waiting_locked();
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

// The plugin is done with the call; what is under way below it ends first.
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
  // What hears of such an end is a plugin's code, which may call this worker again.
  if (ticket->facts.ends_in_plugin) {
    auto shared = std::make_shared<Ticket::Ending>(std::move(ending));
    post(ticket->call, [this, ticket, shared] { finish(ticket, *shared); });
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
    apply(*ticket, writes, well_formed);
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

// Over here and left there.
void WorkerCalls::remove(Ticket& raw) {
  std::lock_guard lock(mutex_);
  const auto it = tickets_.find(raw.id);
  if (it == tickets_.end()) return;
  const TicketPtr ticket = std::move(it->second);
  tickets_.erase(it);
  ticket->let_out();
  --inside_;
  if (!ticket->facts.nested) waiting_.done(ticket->facts.group);
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

namespace {

bool may_be_late(const Ticket& ticket) {
  return ticket.cancelled && ticket.users == 0 && ticket.was_sent();
}

}  // namespace

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
