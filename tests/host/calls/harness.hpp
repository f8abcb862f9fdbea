// A registry of plugins written as lambdas, and a listener that records its output.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/calls/engine.hpp"
#include "host/calls/tables.hpp"
#include "host/plugin/contract_bytes.hpp"
#include "host/plugin/host_handle.hpp"

namespace gantry::host {

using namespace std::chrono_literals;

inline const gantry_call_api& api() { return call_table(); }
inline gantry_bytes b(std::string_view text) { return bytes_of(text); }

class FakePlugin final : public Instance {
 public:
  using Body = std::function<gantry_status(gantry_call*)>;

  FakePlugin(std::string name, bool reentrant) {
    manifest_.name = std::move(name);
    manifest_.version = "1";
    manifest_.reentrant = reentrant;
    manifest_.needs = {"gantry.call/1", "gantry.invoke/1"};
    static std::atomic<std::uint64_t> next{1'000'000};  // none that the loader gives
    generation_ = next++;
    host_.instance = this;
    handle_ = &host_;
  }

  ItemSpec& tool(const std::string& name, Body body) { return add("tool", name, std::move(body)); }
  ItemSpec& service(const std::string& name, Body body) {
    manifest_.offers.push_back(name);
    return add("service", name, std::move(body));
  }
  ItemSpec& method(const std::string& of_class, const std::string& name, Body body) {
    ItemSpec& spec = add("method", of_class + "." + name, std::move(body));
    spec.qualified_name = std::exchange(spec.name, name);
    spec.class_name = of_class;
    spec.input_schema = R"({"type":"object"})";
    return spec;
  }
  ItemSpec& prompt(const std::string& name, Body body) {
    return add("prompt", name, std::move(body));
  }
  ItemSpec& completion(const std::string& name, Body body) {
    return add("completion", name, std::move(body));
  }
  // A resource, or, when there are braces in it, a template.
  ItemSpec& resource(const std::string& uri, Body body) {
    const bool is_template = uri.find('{') != std::string::npos;
    ItemSpec& spec = add(is_template ? "resource_template" : "resource", uri, std::move(body));
    spec.uri = uri;
    spec.name = "called " + uri;
    return spec;
  }
  // What the plugin answers to "resource_list" of a template.
  void list(const std::string& uri, Body body) {
    bodies_["resource_list " + uri] = std::move(body);
  }
  FakePlugin& needs(const std::string& service) {
    manifest_.needs.push_back(service);
    plugin_needs_.push_back(service);
    return *this;
  }
  void served_by(HostServices& services) { host_.services = &services; }
  void make_builtin() { builtin_ = true; }
  bool is_started() const override { return started_; }
  void stopping() { started_ = false; }
  PluginSettings& settings_for_test() { return settings_; }
  Body self_check;

  gantry_status invoke(std::string_view kind, std::string_view name,
                       gantry_call* call) noexcept override {
    if (kind == "self_check") return self_check ? self_check(call) : GANTRY_UNSUPPORTED;
    return bodies_.at(std::string(kind) + " " + std::string(name))(call);
  }

 private:
  ItemSpec& add(const std::string& kind, const std::string& name, Body body) {
    ItemSpec spec;
    spec.kind = kind;
    spec.name = name;
    if (kind == "tool") spec.input_schema = R"({"type":"object"})";
    bodies_[kind + " " + name] = std::move(body);
    manifest_.items.push_back(spec);
    return manifest_.items.back();
  }

  gantry_host host_;
  std::atomic<bool> started_{true};
  std::map<std::string, Body> bodies_;
};

class Recorder final : public CallListener {
 public:
  void progress(double done, double total, std::string_view note) override {
    std::lock_guard lock(mutex_);
    progress_.push_back(done);
    totals_.push_back(total);
    notes_.emplace_back(note);
    after_done_ |= answered_;
    cv_.notify_all();
  }
  void log(int, std::string_view, std::string_view text) override {
    std::lock_guard lock(mutex_);
    logs_.emplace_back(text);
    after_done_ |= answered_;
  }
  gantry_status begin_task() override {
    std::lock_guard lock(mutex_);
    ++begun_;
    after_done_ |= answered_;
    return task_status_;
  }
  bool release() override {
    std::lock_guard lock(mutex_);
    ++released_;
    return can_release_;
  }
  void done(ItemAnswer&& answer) override {
    std::lock_guard lock(mutex_);
    EXPECT_FALSE(answered_) << "a call was answered twice";
    answered_ = true;
    answer_ = std::move(answer);
    cv_.notify_all();
  }

  ItemAnswer wait() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(cv_.wait_for(lock, 20s, [&] { return answered_; })) << "no answer";
    return answer_;
  }
  bool answered() {
    std::lock_guard lock(mutex_);
    return answered_;
  }
  std::size_t heard() {
    std::lock_guard lock(mutex_);
    return notes_.size();
  }
  // Waits until it has received progress, from the plugin or the heartbeat.
  void wait_for_progress() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(cv_.wait_for(lock, 20s, [&] { return !notes_.empty(); })) << "no progress";
  }
  // Waits for progress with this note, which a heartbeat does not have.
  void wait_for_note(std::string_view note) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        cv_.wait_for(lock, 20s, [&] { return std::ranges::find(notes_, note) != notes_.end(); }))
        << "no progress '" << note << "'";
  }
  int released_ = 0;
  bool can_release_ = false;
  std::vector<double> progress_, totals_;
  std::vector<std::string> notes_, logs_;
  int begun_ = 0;
  gantry_status task_status_ = GANTRY_OK;
  bool after_done_ = false;

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  bool answered_ = false;
  ItemAnswer answer_;
};

class CallsTest : public ::testing::Test {
 protected:
  void SetUp() override { make({}); }
  void make(CallLimits limits) {
    calls_.reset();
    calls_ = Calls::create(registry_, bus_, metrics_, limits,
                           [this](std::string_view, std::string_view text) {
                             std::lock_guard lock(mutex_);
                             faults_.emplace_back(text);
                           });
  }
  void TearDown() override {
    calls_->drain(2s);
    registry_.set_plugins({}, {});
    Registry::release_cached();
  }

  FakePlugin& plugin(const std::string& name, bool reentrant = true) {
    auto made = std::make_shared<FakePlugin>(name, reentrant);
    plugins_.push_back(made);
    return *made;
  }
  void publish() {
    for (const auto& made : plugins_) made->served_by(*calls_);
    registry_.set_plugins({plugins_.begin(), plugins_.end()}, {});
  }

  std::shared_ptr<CallHandle> start(std::string_view tool, std::shared_ptr<CallListener> listener,
                                    std::string_view arguments = "{}", bool progress = false) {
    rapidjson::Document parsed;
    parsed.Parse(arguments.data(), arguments.size());
    ItemCall call = request("tool", tool, arguments);
    call.parsed = &parsed;
    call.wants_progress = progress;
    return calls_->start(call, std::move(listener));
  }
  // As a client's; of a "resource_list" or "completion" `key` is that of what is entered.
  ItemCall request(std::string_view kind, std::string_view key, std::string_view arguments = "{}") {
    static const std::map<std::string_view, Snapshot::ByKey Snapshot::*> kLists{
        {"tool", &Snapshot::tool_by_name},
        {"prompt", &Snapshot::prompt_by_name},
        {"resource", &Snapshot::resource_by_uri},
        {"resource_template", &Snapshot::template_by_uri},
        {"resource_list", &Snapshot::template_by_uri},
        {"completion", &Snapshot::completion_by_name}};
    ItemCall call;
    call.agent = agent_;
    call.snapshot = registry_.current();
    const Snapshot::ByKey& list = (*call.snapshot).*kLists.at(kind);
    const auto found = list.find(key);
    call.item = found == list.end() ? nullptr : found->second;
    call.kind = kind;
    call.name = key;
    call.arguments = arguments;
    call.protocol = "2026-07-28";
    call.correlation_id = "corr-1";
    call.log_level = GANTRY_LOG_INFO;
    return call;
  }
  ItemAnswer run_item(const ItemCall& call) {
    auto recorder = std::make_shared<Recorder>();
    calls_->start(call, recorder);
    return recorder->wait();
  }
  ItemAnswer run(std::string_view tool, std::string_view arguments = "{}") {
    auto recorder = std::make_shared<Recorder>();
    start(tool, recorder, arguments);
    return recorder->wait();
  }
  std::vector<std::string> faults() {
    std::lock_guard lock(mutex_);
    return faults_;
  }

  // Calls another item from inside a handler and returns its parts as "type=body;…".
  static gantry_status nested(FakePlugin& from, gantry_call* parent, std::string_view kind,
                              std::string_view name, std::string& parts,
                              std::string_view narrowing = "", std::string_view arguments = "{}") {
    const gantry_invocation what{sizeof(gantry_invocation), b(kind), b(name), b(arguments),
                                 b(narrowing)};
    const gantry_answer answer{[](void* out, gantry_bytes type, gantry_bytes body) {
                                 *static_cast<std::string*>(out) +=
                                     std::string(view(type)) + "=" + std::string(view(body)) + ";";
                               },
                               &parts};
    return invoke_table().call(from.host_handle(), parent, &what, answer);
  }

  Registry registry_;
  Bus bus_;
  Metrics metrics_;
  std::unique_ptr<Calls> calls_;
  AgentPtr agent_ = std::make_shared<const Agent>();
  std::vector<std::shared_ptr<FakePlugin>> plugins_;

 private:
  std::mutex mutex_;
  std::vector<std::string> faults_;
};

}  // namespace gantry::host
