// subscriptions/listen: a request that stays open and gets notifications of changes.
//
//   the filter is read -> access to its tasks and resources is checked, one after the other
//     -> a place is taken -> the acknowledgement -> notifications -> the answer, when it ends
#include "host/rpc/core.hpp"
#include "host/rpc/listen/listen_filter.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/may_subscribe.hpp"
#include "host/rpc/listen/scoped_lists.hpp"
#include "host/rpc/listen/scoped_updates.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/rounds/abilities.hpp"

namespace gantry::host::rpc {
namespace {

// A listening request until it is open.
class Opening final : public RevocableWork, public std::enable_shared_from_this<Opening> {
 public:
  Opening(Core& core, ListenerPtr listener, ListenFilter filter)
      : scoped_count_(core.runs),
        core_(core),
        listener_(std::move(listener)),
        asked_(std::move(filter)) {
    honoured_ = asked_;
    honoured_.uris.clear();
  }
  ~Opening() override { core_.open_work.remove(*this); }

  void take_agents(const AgentChanges& changes) override {
    if (!changes.is_withdrawn(listener_->principal.name)) return;
    listener_->out->stop();
    core_.listeners->remove(*listener_);
  }

  // Checks the resources in turn; those that the caller may not read are left out.
  void go_on() {
    while (next_ < asked_.uris.size() && !listener_->out->is_stopped()) {
      const Context context{.principal = listener_->principal,
                            .revision = kModernRevision,
                            .party = {listener_->party, listener_->client}};
      may_subscribe(core_, context, listener_->id, asked_.uris[next_],
                    [self = shared_from_this()](MaySubscribe may) {
                      self->take(std::move(may));
                      if (self->turn_.exchange(true)) self->resume();
                    });
      if (!turn_.exchange(true)) return;  // still being read; the end of the read continues
      turn_ = false;
    }
    if (!asked_.resources) return open();
    core_.scoped_lists->expect(listener_->principal, [self = shared_from_this()] { self->open(); });
  }

 private:
  void resume() {
    turn_ = false;
    go_on();
  }

  void take(MaySubscribe may) {
    std::string& uri = asked_.uris[next_++];
    if (may.yes) honoured_.uris.push_back(std::move(uri));
    if (may.yes || may.refusal.status != Error::busy().status) return;
    busy_ = true;  // the plugin is busy: access is not decided
    next_ = asked_.uris.size();
  }

  void open() {
    const auto& out = listener_->out;
    if (busy_ || (!out->is_stopped() && !out->listen())) {
      const Error error = Error::busy();
      return out->refuse({error.to_message(listener_->id), error.status});
    }
    listener_->wanted = honoured_.wanted(core_.clock.now());
    const bool any = !listener_->wanted.empty();
    out->hold(acknowledgement(honoured_, listener_->id));
    const bool added = any && core_.listeners->add(listener_);
    if (out->is_stopped()) core_.listeners->remove(*listener_);
    out->open();
    if (!added) return out->end();
    for (const std::string& uri : honoured_.uris)
      core_.scoped_updates->subscribed(listener_->principal, uri);
  }

  const ScopedCount scoped_count_;
  Core& core_;
  const ListenerPtr listener_;
  ListenFilter asked_, honoured_;
  std::size_t next_ = 0;
  bool busy_ = false;
  // Set by the end of a read and by the thread that started it; the second of the two continues.
  std::atomic<bool> turn_{false};
};

std::optional<Error> check_tasks(Core& core, const Message& message, const Context& context,
                                 ListenFilter& filter) {
  if (!filter.names_tasks) return std::nullopt;
  if (!abilities_of(message, context).tasks) {
    const std::string extension(kTasksExtension);
    return Error::missing_capability("The client must declare the extension " + extension +
                                         " to listen to tasks (params.notifications.taskIds)",
                                     "{\"extensions\":{\"" + extension + "\":{}}}");
  }
  std::erase_if(filter.tasks,
                [&](const std::string& id) { return !core.tasks.get(id, context.principal.name); });
  return std::nullopt;
}

}  // namespace

std::optional<Answer> listen(Core& core, const Message& message, const Context& context,
                             Channel& channel) {
  ListenFilter filter;
  if (const auto error = read_filter(message, core.settings.limits.max_subscriptions, filter)) {
    return failure(message, *error);
  }
  if (const auto error = check_tasks(core, message, context, filter)) {
    return failure(message, *error);
  }
  if (!context.sends_notifications) {
    return failure(message, {kServerError,
                             "Listening is answered as an event stream: Accept must list "
                             "text/event-stream",
                             406,
                             {}});
  }
  const auto listener = std::make_shared<Listener>();
  const auto sink = channel.sink();
  listener->id = message.id();
  listener->principal = context.principal;
  listener->party = context.party.name;
  listener->client = context.party.client;
  listener->out = std::make_shared<Outbox>(sink, core.settings.limits.max_stream_notifications,
                                           Answer{listened(listener->id)});
  sink->started([weak = std::weak_ptr(listener), all = std::weak_ptr(core.listeners)](Stop) {
    const auto stopped = weak.lock();
    if (!stopped) return;
    stopped->out->stop();
    if (const auto listeners = all.lock()) listeners->remove(*stopped);
  });
  const auto opening = std::make_shared<Opening>(core, listener, std::move(filter));
  core.open_work.add(opening);
  opening->go_on();
  return std::nullopt;
}

}  // namespace gantry::host::rpc
