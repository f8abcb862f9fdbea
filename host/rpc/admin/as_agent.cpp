#include "host/rpc/admin/as_agent.hpp"

#include <mutex>

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/classify.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {
namespace {

// The request as JSON-RPC. The console can show forms, so the client declares elicitation in the
// mode "form" and nothing else.
std::string request_text(const AgentRequest& asked) {
  std::string out = request_head("1", asked.method);
  std::string meta = "{";
  append_text_member(meta, kVersionKey, kModernRevision);
  append_json_member(meta, kCapabilitiesKey, R"({"elicitation":{"form":{}}})");
  std::string params = asked.members;
  append_json_member(params, "_meta", meta + "}");
  append_json_member(out, "params", params + "}");
  return out + "}";
}

// The command's answer from a JSON-RPC response.
AdminAnswer answer_from(const Answer& response) {
  AdminAnswer out;
  const std::string head = response_head("1", "result");
  if (response.body.starts_with(head)) {
    out.result = response.body.substr(head.size(), response.body.size() - head.size() - 1);
    put_on_one_line(out.result);
    return out;
  }
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(response.body.data(), response.body.size());
  Error error = Error::internal();
  if (!document.HasParseError() && document.IsObject()) {
    const auto* given = member(&document, "error");
    error.message = text_of(member(given, "message")).value_or(error.message);
    const auto* code = member(given, "code");
    if (code != nullptr && code->IsInt()) error.code = code->GetInt();
  }
  error.status = response.status;
  out.error = std::move(error);
  return out;
}

// Waits for one answer and passes nothing else on. Any thread.
class OneAnswer final : public Sink {
 public:
  explicit OneAnswer(AdminMethod::Done done) : done_(std::move(done)) {}
  void notify(std::string) override {}
  void answer(Answer answer) override { done_(answer_from(answer)); }
  void started(RunningRequests::Cancel cancel) override {
    const std::lock_guard lock(mutex_);
    cancel_ = std::move(cancel);
  }
  void stop() {
    RunningRequests::Cancel cancel;
    {
      const std::lock_guard lock(mutex_);
      cancel = cancel_;
    }
    if (cancel) cancel(Stop::disconnected);
  }

 private:
  const AdminMethod::Done done_;
  std::mutex mutex_;
  RunningRequests::Cancel cancel_;
};

struct OneChannel final : Channel {
  explicit OneChannel(std::shared_ptr<OneAnswer> s) : made(std::move(s)) {}
  std::shared_ptr<Sink> sink() override { return made; }
  const std::shared_ptr<OneAnswer> made;
};

}  // namespace

AdminMethod::Cancel ask_as(const HostParts& parts, const AgentRequest& asked,
                           AdminMethod::Done done) {
  const auto file = parts.agents();
  const AgentPtr agent = file->find(asked.agent);
  if (!agent) {
    done(AdminAnswer::of(no_profile(asked.agent, *file)));
    return {};
  }
  const PrincipalPtr principal = make_principal(agent, "console/" + agent->name, "console");
  const std::string text = request_text(asked);
  Message message(text);
  if (const auto error = message.parse()) {
    done({{}, *error});
    return {};
  }
  const Context context{*principal, kModernRevision, nullptr, nullptr, false};
  const auto sink = std::make_shared<OneAnswer>(std::move(done));
  OneChannel channel(sink);
  if (auto now = parts.dispatcher.request(message, context, channel)) {
    sink->answer(std::move(*now));
    return {};
  }
  return [weak = std::weak_ptr(sink)] {
    if (const auto running = weak.lock()) running->stop();
  };
}

}  // namespace gantry::host::rpc
