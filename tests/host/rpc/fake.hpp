// Plugins that are only names, calls that answer what a test wants, and a client to ask them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "host/calls/calls.hpp"
#include "host/rpc/dispatcher.hpp"

namespace gantry::host::rpc {

class FakePlugin final : public Instance {
 public:
  explicit FakePlugin(std::vector<ItemSpec> items, std::string name = "fake") {
    manifest_.name = std::move(name);
    manifest_.version = "1.0.0";
    manifest_.items = std::move(items);
    static std::atomic<std::uint64_t> next{3};
    generation_ = next++;
  }
  gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
    return GANTRY_FAILED;
  }
  void make_builtin() { builtin_ = true; }
};

inline ItemSpec tool(std::string name, std::string category = "custom") {
  ItemSpec spec;
  spec.kind = "tool";
  spec.name = std::move(name);
  spec.title = "Title";
  spec.description = "Says \"hello\".";
  spec.category = std::move(category);
  spec.input_schema = R"({"type":"object",  "properties":{}})";
  return spec;
}

class FakeHandle final : public CallHandle {
 public:
  explicit FakeHandle(std::shared_ptr<CallListener> listener) : listener_(std::move(listener)) {}
  void cancel(CancelReason reason) override {
    if (done_.exchange(true)) return;
    reasons.push_back(reason);
    ItemAnswer answer;
    answer.kind = ItemAnswer::Kind::error;
    answer.error_code = "cancelled";
    answer.message = "Cancelled by client";
    answer.cancelled = true;
    end(std::move(answer));
  }
  void finish(ItemAnswer answer) {
    if (!done_.exchange(true)) end(std::move(answer));
  }
  CallListener& listener() { return *listener_; }
  std::vector<CancelReason> reasons;

 private:
  // Lets go of the listener, as the real calls do: it may hold what holds this handle.
  void end(ItemAnswer answer) {
    const auto listener = std::exchange(listener_, nullptr);
    listener->done(std::move(answer));
  }

  std::atomic<bool> done_{false};
  std::shared_ptr<CallListener> listener_;
};

// What a call asked for, kept.
struct Seen {
  std::string agent, name, arguments, protocol, correlation_id, party;
  std::uint64_t client = 0;
  bool parsed = false, wants_progress = false;
  std::optional<int> log_level;
};

class FakeCalls final : public Calls {
 public:
  // The tool "slow" stays open until a test finishes it; everything else is answered at once.
  std::shared_ptr<CallHandle> start(const ItemCall& call,
                                    std::shared_ptr<CallListener> listener) override {
    std::unique_lock lock(mutex_);
    seen.push_back({call.agent->name, std::string(call.name), std::string(call.arguments),
                    std::string(call.protocol), std::string(call.correlation_id),
                    std::string(call.party), call.client, call.parsed != nullptr,
                    call.wants_progress, call.log_level});
    if (handler) {
      lock.unlock();
      auto handle = std::make_shared<FakeHandle>(listener);
      if (auto answer = handler(call, *listener)) {
        handle->finish(std::move(*answer));
        return nullptr;
      }
      lock.lock();
      open.push_back(handle);
      return handle;
    }
    if (call.name == "slow") {
      open.push_back(std::make_shared<FakeHandle>(std::move(listener)));
      return open.back();
    }
    if (call.name == "chatty") {
      listener->progress(1, 2, "half");
      listener->log(4, "fake", "careful");
    }
    listener->done(ItemAnswer(next));
    return nullptr;
  }
  std::optional<ItemAnswer> denied(const Agent& agent, const Item& item) const override {
    ++asked;
    if (item.spec.tier <= agent.tier && agent.tools.allows(item.spec.name)) return std::nullopt;
    return ItemAnswer{};
  }
  bool lists(const Snapshot&, const Agent& agent, const Item& item) const override {
    return !denied(agent, item);
  }
  Status self_check(InstancePtr, std::chrono::milliseconds) override { return {}; }
  int running() const override { return static_cast<int>(open.size()); }
  std::size_t queued() const override { return 0; }
  std::uint64_t delayed() const override { return 0; }
  bool drain(std::chrono::milliseconds) override { return true; }
  const void* service(std::string_view) const override { return nullptr; }
  Status offer(Instance&, std::string_view) override { return {}; }

  // Where a test sets it: what answers every call, or leaves it open with nothing.
  std::function<std::optional<ItemAnswer>(const ItemCall&, CallListener&)> handler;
  ItemAnswer next;
  std::vector<Seen> seen;
  std::vector<std::shared_ptr<FakeHandle>> open;
  mutable std::atomic<int> asked{0};

 private:
  std::mutex mutex_;  // of `seen` and `open`, when calls start on several threads
};

struct FakeSink final : Sink {
  void notify(std::string message) override { notes.push_back(std::move(message)); }
  bool request(std::string message) override {
    if (carries_requests) requests.push_back(std::move(message));
    return carries_requests;
  }
  void answer(Answer answer) override { answers.push_back(std::move(answer)); }
  void started(RunningRequests::Cancel c) override { cancel = std::move(c); }
  std::vector<std::string> notes, requests;
  bool carries_requests = true;
  std::vector<Answer> answers;
  RunningRequests::Cancel cancel;
};

struct FakeChannel final : Channel {
  std::shared_ptr<Sink> sink() override {
    ++made;
    return sink_;
  }
  std::shared_ptr<FakeSink> sink_ = std::make_shared<FakeSink>();
  int made = 0;
};

struct MapHeaders final : Headers {
  MapHeaders(std::initializer_list<std::pair<const std::string, std::string>> v) : values(v) {}
  std::optional<std::string_view> get(std::string_view name) const override {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional<std::string_view>(found->second);
  }
  std::map<std::string, std::string, std::less<>> values;
};

inline rapidjson::Document json(std::string_view text) {
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

// Everything behind a transport, without one.
class World {
 public:
  explicit World(std::vector<ItemSpec> tools = {}, ProtocolSettings settings = {.version = "9.9"},
                 Level level = Level::off)
      : log({.level = level}),
        dispatcher(registry, calls, log, metrics, bus, clock, std::move(settings)) {
    publish(std::move(tools));
    calls.next.structured = R"({"n":1})";
  }

  void publish(std::vector<ItemSpec> tools) {
    registry.set_plugins({std::make_shared<FakePlugin>(std::move(tools))}, {});
  }

  // The answer of a request, from wherever it came.
  Answer ask(std::string_view text, std::string_view revision, const Headers* headers = nullptr,
             Session* session = nullptr) {
    Message message(text);
    const auto error = message.parse();
    EXPECT_FALSE(error) << error->message;
    channel = {};
    const auto now = dispatcher.request(message, {principal, revision, headers, session}, channel);
    if (now) return *now;
    return channel.sink_->answers.empty() ? Answer{"", 0} : channel.sink_->answers.front();
  }

  FakeCalls calls;
  Registry registry;
  Log log;
  Metrics metrics;
  Bus bus;
  SystemClock clock;
  Dispatcher dispatcher;
  Principal principal{share(Agent()), "local", "none"};
  FakeChannel channel;
};

}  // namespace gantry::host::rpc
