#include "host/rpc/message/batch.hpp"

#include <mutex>
#include <set>

#include "host/rpc/session_request.hpp"

namespace gantry::host::rpc {
namespace {

// Gathers answers until the last one is there.
class BatchGathering {
 public:
  explicit BatchGathering(std::function<void(std::string)> done) : done_(std::move(done)) {}

  void expect() {
    std::lock_guard lock(mutex_);
    ++open_;
  }

  void add(const std::string& answer) {
    {
      std::lock_guard lock(mutex_);
      text_ += text_.empty() ? '[' : ',';
      text_ += answer;
    }
    close();
  }

  void close() {
    std::string text;
    {
      std::lock_guard lock(mutex_);
      if (--open_ > 0) return;
      text = std::move(text_);
    }
    if (!text.empty()) text += ']';
    done_(std::move(text));
  }

 private:
  std::mutex mutex_;
  int open_ = 1;  // the batch itself, until all its elements are dispatched
  std::string text_;
  const std::function<void(std::string)> done_;
};

class ElementSink final : public Sink {
 public:
  ElementSink(std::shared_ptr<BatchGathering> all, std::shared_ptr<Session> session,
              std::string key)
      : all_(std::move(all)), tracker_(std::move(session), std::move(key)) {}

  void notify(std::string) override {}
  void started(RunningRequests::Cancel cancel) override { tracker_.started(std::move(cancel)); }
  void answer(Answer answer) override {
    tracker_.answered();
    all_->add(answer.body);
  }

 private:
  const std::shared_ptr<BatchGathering> all_;
  SessionRequest tracker_;
};

struct ElementChannel final : Channel {
  ElementChannel(std::shared_ptr<BatchGathering> a, std::shared_ptr<Session> s, std::string k)
      : all(std::move(a)), session(std::move(s)), key(std::move(k)) {}
  std::shared_ptr<Sink> sink() override { return std::make_shared<ElementSink>(all, session, key); }

  std::shared_ptr<BatchGathering> all;
  std::shared_ptr<Session> session;
  std::string key;
};

// `ids`: of the requests before it.
std::optional<Error> fault_in(const Message& message, const Session* session,
                              std::set<std::string>& ids) {
  if (message.kind() == Message::Kind::batch) {
    return Error::invalid_request("A batch holds messages, not batches");
  }
  if (message.method() == "initialize") {
    return Error::invalid_request("initialize must not be part of a batch");
  }
  const std::string key = message.id_key();
  if (ids.insert(key).second && (session == nullptr || !session->running().contains(key)))
    return std::nullopt;
  return Error::id_in_use();
}

void dispatch_element(Dispatcher& dispatcher, std::string_view text, const Context& context,
                      const std::shared_ptr<Session>& session,
                      const std::shared_ptr<BatchGathering>& all, std::set<std::string>& ids) {
  Message message(text);
  std::optional<Error> error =
      text.empty() ? Error::invalid_request("A message is a JSON object") : message.parse();
  if (!error && message.kind() == Message::Kind::notification) {
    dispatcher.notification(message, context);
    return;
  }
  if (!error && message.kind() == Message::Kind::response) {
    dispatcher.response(message, context);
    return;
  }
  all->expect();
  if (!error) error = fault_in(message, session.get(), ids);
  if (error) {
    all->add(error->to_message(message.id()));
    return;
  }
  ElementChannel channel(all, session, message.id_key());
  if (const auto now = dispatcher.request(message, context, channel)) all->add(now->body);
}

}  // namespace

void dispatch_batch(Dispatcher& dispatcher, const Message& batch, const Context& context,
                    std::shared_ptr<Session> session, std::function<void(std::string)> done) {
  auto all = std::make_shared<BatchGathering>(std::move(done));
  std::set<std::string> ids;
  for (const auto text : batch.elements())
    dispatch_element(dispatcher, text, context, session, all, ids);
  all->close();
}

}  // namespace gantry::host::rpc
