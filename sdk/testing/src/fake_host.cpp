#include <gantry/testing/fake_host.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <clocale>
#include <fstream>
#include <iterator>

#include <rapidjson/document.h>

#include <gantry/call.hpp>

#include "note.hpp"
#include "state.hpp"

namespace gantry::testing {

using detail::HostState;
using detail::Item;
using detail::Phase;

namespace detail {

void HostState::violation(const std::string& text) {
  const std::string sentence = "plugin '" + manifest.name + "' broke the contract: " + text;
  {
    const std::lock_guard lock(mutex);
    violations.push_back(sentence);
  }
  if (options.on_violation) {
    options.on_violation(sentence);
  } else {
    ADD_FAILURE() << sentence;
  }
}

bool HostState::needs(std::string_view id) const {
  for (const std::string& need : manifest.needs) {
    if (need == id) return true;
  }
  return false;
}

const Item* HostState::find(std::string_view kind, std::string_view name) const {
  for (const Item& item : items) {
    if (item.kind == kind && item.name == name) return &item;
  }
  return nullptr;
}

}  // namespace detail

namespace {

std::uint64_t nanoseconds_from_now(std::chrono::milliseconds wait) {
  const auto at = std::chrono::steady_clock::now() + wait;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count());
}

// How many threads this process has.
std::ptrdiff_t count_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

std::string working_directory() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored).string();
}

// The arguments or result against a schema: the first findings as a sentence, or empty.
std::string mismatch(const schema::Validator& validator, std::string_view json,
                     std::string_view root) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  if (document.HasParseError()) return std::string(root) + ": not JSON";
  if (validator.validate(document)) return {};
  return schema::explain(validator.errors(document), root);
}

std::string table_problem(const gantry_plugin& table) {
  if (table.magic != GANTRY_MAGIC) return "gantry_plugin.magic is not GANTRY_MAGIC";
  if (table.size < sizeof(gantry_plugin)) return "gantry_plugin.size is too small";
  if (table.create == nullptr || table.start == nullptr || table.invoke == nullptr ||
      table.stop == nullptr || table.destroy == nullptr) {
    return "a function of gantry_plugin is null";
  }
  return {};
}

}  // namespace

// A call on its thread.
struct RunningCall::State {
  HostState* host = nullptr;
  gantry_call* call = nullptr;
  Reply early;  // when there is no call: refused before the plugin was entered
  std::thread thread;
  std::mutex joining;

  ~State() { join(); }
  void join() {
    const std::lock_guard lock(joining);
    if (thread.joinable()) thread.join();
  }
};

struct FakeHost::Impl {
  Impl(const gantry_plugin* table, Result<std::string> manifest_text, Options options)
      : state(std::move(options), detail::Manifest{}), problem(manifest_text.status()) {
    state.table = table;
    if (!manifest_text) return;
    Result<detail::Manifest> parsed = detail::parse_manifest(*manifest_text);
    problem = parsed.status();
    if (!parsed) return;
    state.manifest = std::move(*parsed);
    state.items = state.manifest.items;
    if (const std::string text = table_problem(*table); !text.empty()) {
      problem = Status::invalid(text);
    }
  }

  Status start();
  Status create_and_start();
  Status stop();
  std::vector<gantry_call*> calls();
  void wait_for_invokes();
  void check_calls();
  void check_surroundings();
  Status refused(const char* function, gantry_status status) const;
  std::shared_ptr<RunningCall::State> begin(std::string_view kind, std::string_view name,
                                            std::string_view arguments, const CallOptions& options);
  Reply refusal(std::string_view kind, std::string_view name, std::string_view arguments,
                const CallOptions& options);

  HostState state;
  Status problem;  // why the plugin cannot be used
  std::mutex lifecycle;
  std::ptrdiff_t threads_before = 0;
  std::string directory_before, locale_before;
};

namespace {

// Fills in what the plugin left to its status, and checks a success against the rules.
Reply settle(gantry_call& call) {
  Reply reply;
  std::string broken;
  {
    const std::lock_guard lock(call.mutex);
    if (call.json_open) broken = "json_begin() without json_end()";
    if (call.json_done) call.reply.structured = call.json;
    reply = call.reply;
    if (call.failed && reply.status >= 0) reply.status = GANTRY_FAILED;
  }
  if (reply.timed_out || reply.cancelled) {
    reply.status = reply.timed_out ? GANTRY_TIMED_OUT : GANTRY_CANCELLED;
    reply.error_code = error_code(reply.status);
    reply.content.clear();
    reply.structured.clear();
    return reply;
  }
  if (reply.status < 0 && reply.error_code.empty()) reply.error_code = error_code(reply.status);
  if (reply.ok() && !reply.structured.empty()) {
    const Result<Json> json = Json::parse(reply.structured);
    if (!json) broken = "the structured result is " + json.message();
    if (json && !json->is_object()) broken = "the structured result is no JSON object";
    const std::lock_guard lock(call.host.mutex);
    const Item* const item = call.host.find(call.kind, call.name);
    if (broken.empty() && item != nullptr && item->output) {
      const std::string text = mismatch(*item->output, reply.structured, "result");
      if (!text.empty()) broken = "the structured result does not fit the output schema: " + text;
    }
  }
  if (!broken.empty()) {
    call.host.violation(broken + " (" + detail::label(call) + ")");
    reply.status = GANTRY_FAILED;
    reply.error_code = "internal_error";
  }
  return reply;
}

}  // namespace

void RunningCall::cancel() {
  if (state_->call != nullptr) detail::kill_call(*state_->call, false);
}

Reply RunningCall::wait() {
  gantry_call* const call = state_->call;
  if (call == nullptr) return state_->early;
  const auto ended = [call] { return call->ended && (call->returned || !call->entered); };
  const std::chrono::steady_clock::time_point deadline{std::chrono::nanoseconds(call->deadline)};
  std::unique_lock lock(call->mutex);
  if (!call->changed.wait_until(lock, deadline, ended)) {
    lock.unlock();
    detail::kill_call(*call, true);
    lock.lock();
    if (!call->changed.wait_for(lock, state_->host->options.patience, ended)) {
      lock.unlock();
      state_->host->violation(detail::label(*call) +
                              " is still running long after its deadline; poll cancelled()");
      Reply reply;
      reply.status = GANTRY_TIMED_OUT;
      reply.timed_out = true;
      reply.error_code = "timeout";
      return reply;
    }
  }
  lock.unlock();
  state_->join();
  return settle(*call);
}

// ---- life ----

Status FakeHost::Impl::refused(const char* function, gantry_status status) const {
  std::string reason;
  const std::lock_guard lock(state.mutex);
  for (const LogLine& line : state.log) {
    if (line.level <= GANTRY_LOG_ERROR) reason = line.text;
  }
  return Status(status, std::string(function) + "() failed with status " + std::to_string(status) +
                            (reason.empty() ? "" : ": " + reason));
}

Status FakeHost::Impl::create_and_start() {
  std::thread([] {}).join();  // sanitizers add a thread of their own with the first one
  threads_before = count_threads();
  directory_before = working_directory();
  locale_before = std::setlocale(LC_ALL, nullptr);
  state.phase = Phase::creating;
  gantry_status status = state.table->create(&detail::host_table(), &state.handle, &state.self);
  if (status < 0) {
    state.phase = Phase::destroyed;
    return refused("create", status);
  }
  state.phase = Phase::starting;
  status = state.table->start(state.self);
  if (status < 0) {
    state.table->destroy(state.self);
    state.phase = Phase::destroyed;
    return refused("start", status);
  }
  state.phase = Phase::started;
  return {};
}

Status FakeHost::Impl::start() {
  const std::lock_guard lock(lifecycle);
  if (problem && state.phase == Phase::idle) problem = create_and_start();
  return problem;
}

std::vector<gantry_call*> FakeHost::Impl::calls() {
  std::vector<gantry_call*> all;
  const std::lock_guard lock(state.mutex);
  for (const auto& call : state.calls) all.push_back(call.get());
  return all;
}

// No invoke() runs when stop() is called: the host's side of the bargain.
void FakeHost::Impl::wait_for_invokes() {
  for (gantry_call* call : calls()) {
    std::unique_lock lock(call->mutex);
    if (call->changed.wait_for(lock, state.options.patience, [call] { return call->returned; })) {
      continue;
    }
    lock.unlock();
    state.violation("invoke() of " + detail::label(*call) + " has not returned before stop()");
  }
}

void FakeHost::Impl::check_calls() {
  for (gantry_call* call : calls()) {
    bool left = false;
    {
      const std::lock_guard lock(call->mutex);
      left = call->pending && !call->finished;
      if (left) call->ended = true;
      call->changed.notify_all();
    }
    if (left) {
      state.violation(detail::label(*call) +
                      " returned GANTRY_PENDING and was not finished when stop() returned");
    }
  }
}

void FakeHost::Impl::check_surroundings() {
  if (working_directory() != directory_before) state.violation("the working directory was changed");
  if (locale_before != std::setlocale(LC_ALL, nullptr)) state.violation("the locale was changed");
  if (!state.options.check_threads) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (count_threads() > threads_before) {
    if (std::chrono::steady_clock::now() > until) {
      state.violation("threads are still running after stop(); stop() joins every thread");
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Status FakeHost::Impl::stop() {
  const std::lock_guard lock(lifecycle);
  if (state.phase != Phase::started) return problem;
  wait_for_invokes();
  state.phase = Phase::stopping;
  const gantry_status status =
      state.table->stop(state.self, nanoseconds_from_now(state.options.patience));
  state.phase = Phase::stopped;
  check_calls();
  std::vector<std::thread> threads;
  {
    const std::lock_guard guard(state.mutex);
    threads.swap(state.threads);
  }
  for (std::thread& thread : threads) thread.join();
  check_surroundings();
  return status < 0 ? refused("stop", status) : Status();
}

// ---- calls ----

// Why the plugin is not entered at all, or a fine reply.
Reply FakeHost::Impl::refusal(std::string_view kind, std::string_view name,
                              std::string_view arguments, const CallOptions& options) {
  const auto refuse = [](gantry_status status, std::string message) {
    Reply reply;
    reply.status = status;
    reply.error_code = error_code(status);
    reply.message = std::move(message);
    return reply;
  };
  if (Status status = start(); !status) return refuse(status.code(), status.message());
  if (state.phase != Phase::started) return refuse(GANTRY_STOPPING, "the plugin is stopped");
  if (kind == "self_check") return {};
  const std::lock_guard lock(state.mutex);
  const Item* const item = state.find(kind, name);
  if (item == nullptr) {
    return refuse(GANTRY_NOT_FOUND, std::string(kind) + " '" + std::string(name) +
                                        "' is not among the plugin's items");
  }
  if (options.skip_validation || !item->input) return {};
  const std::string text = mismatch(*item->input, arguments, "arguments");
  return text.empty() ? Reply() : refuse(GANTRY_INVALID_ARGUMENT, text);
}

std::shared_ptr<RunningCall::State> FakeHost::Impl::begin(std::string_view kind,
                                                          std::string_view name,
                                                          std::string_view arguments,
                                                          const CallOptions& options) {
  auto running = std::make_shared<RunningCall::State>();
  running->host = &state;
  running->early = refusal(kind, name, arguments, options);
  if (!running->early.ok()) return running;
  auto call = std::make_unique<gantry_call>(
      state, kind, name, arguments, options.agent.empty() ? state.options.agent : options.agent,
      nanoseconds_from_now(options.timeout));
  gantry_call* const entered = running->call = call.get();
  {
    const std::lock_guard lock(state.mutex);
    state.calls.push_back(std::move(call));
  }
  running->thread = std::thread([entered] { detail::enter_plugin(*entered); });
  return running;
}

// ---- the public face ----

namespace {

Result<std::string> manifest_text(const std::string& given) {
  if (given.starts_with("{")) return given;
  std::ifstream in(given, std::ios::binary);
  if (!in) return Status::not_found("cannot open the manifest '" + given + "'");
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

const gantry_plugin* open_library(const std::filesystem::path& file, std::string& problem) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "gantry_plugin_v1");
  if (symbol == nullptr) problem = dlerror();
  return static_cast<const gantry_plugin*>(symbol);
}

}  // namespace

FakeHost::FakeHost(const Linked& plugin, Options options)
    : impl_(std::make_unique<Impl>(&plugin.plugin, manifest_text(plugin.manifest),
                                   std::move(options))) {}

FakeHost::FakeHost(const Loaded& plugin, Options options) {
  std::string problem;
  Result<std::string> manifest = detail::read_manifest(plugin.file);
  const gantry_plugin* const table = open_library(plugin.file, problem);
  if (table == nullptr) manifest = Status::failed(problem);
  impl_ = std::make_unique<Impl>(table, std::move(manifest), std::move(options));
}

FakeHost::~FakeHost() {
  static_cast<void>(impl_->stop());
  if (impl_->state.phase == Phase::stopped) {
    impl_->state.table->destroy(impl_->state.self);
    impl_->state.phase = Phase::destroyed;
  }
}

Status FakeHost::start() { return impl_->start(); }
Status FakeHost::stop() { return impl_->stop(); }

RunningCall FakeHost::begin(std::string_view tool, std::string_view arguments,
                            const CallOptions& options) {
  return RunningCall(impl_->begin("tool", tool, arguments, options));
}

Reply FakeHost::call(std::string_view tool, std::string_view arguments,
                     const CallOptions& options) {
  return begin(tool, arguments, options).wait();
}

Reply FakeHost::call_service(std::string_view name, std::string_view arguments,
                             const CallOptions& options) {
  return RunningCall(impl_->begin("service", name, arguments, options)).wait();
}

Reply FakeHost::self_check() {
  return RunningCall(impl_->begin("self_check", "", "{}", {})).wait();
}

void FakeHost::provide(std::string_view kind, std::string_view name, Provider provider) {
  const std::lock_guard lock(impl_->state.mutex);
  impl_->state.providers[{std::string(kind), std::string(name)}] = std::move(provider);
}

std::vector<std::string> FakeHost::tools() const {
  static_cast<void>(impl_->start());
  std::vector<std::string> names;
  const std::lock_guard lock(impl_->state.mutex);
  for (const Item& item : impl_->state.items) {
    if (item.kind == "tool") names.push_back(item.name);
  }
  return names;
}

std::string FakeHost::input_schema(std::string_view tool) const {
  static_cast<void>(impl_->start());
  const std::lock_guard lock(impl_->state.mutex);
  const Item* const item = impl_->state.find("tool", tool);
  return item == nullptr ? std::string() : item->input_schema;
}

std::string FakeHost::output_schema(std::string_view tool) const {
  static_cast<void>(impl_->start());
  const std::lock_guard lock(impl_->state.mutex);
  const Item* const item = impl_->state.find("tool", tool);
  return item == nullptr ? std::string() : item->output_schema;
}

std::vector<LogLine> FakeHost::log() const {
  const std::lock_guard lock(impl_->state.mutex);
  return impl_->state.log;
}

std::vector<std::string> FakeHost::violations() const {
  const std::lock_guard lock(impl_->state.mutex);
  return impl_->state.violations;
}

}  // namespace gantry::testing
