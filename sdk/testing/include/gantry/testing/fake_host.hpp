// gantry/testing/fake_host.hpp: runs a plugin without a host, and checks the rules of the contract.
//
//   TEST(Greet, NamesThePerson) {
//     gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE});
//     EXPECT_THAT(host.call("greet", R"({"name":"Ada"})"), HasText("Hello, Ada!"));
//   }
//
// It creates and starts the plugin at the first call (or start()), validates arguments against the
// input schemas and results against the output schemas, serves all services of the contract, and
// finally stops and destroys the plugin. Each violation of the contract is one sentence that fails
// the running test, unless Options.on_violation receives it. ABI.md has the rules.
//
// Questions, other plugins and cancellation:
//   host.answer_input("sure", R"({"action":"accept","content":{"yes":true}})");
//   EXPECT_THAT(host.call("remove", R"({"name":"today"})"), Succeeds());     // two rounds
//   host.provide("tool", "count_objects", [](std::string_view, std::string_view) {
//     return gantry::testing::Answer{{{"json", R"({"count":2})"}}};
//   });
//   gantry::testing::RunningCall running = host.begin("wait");
//   running.cancel();
//   EXPECT_THAT(running.wait(), FailsWith("cancelled"));
//
// The plugin runs in the process of the test, in no sandbox: a crash ends the test program. There
// are no permissions and no other clients: every caller may use every item. gantry_add_plugin()
// defines GANTRY_PLUGIN_FILE and GANTRY_PLUGIN_MANIFEST for its tests.
//
// Threads: call() and the other functions from any thread. Each call runs on its own thread; calls
// of a plugin without the flag "reentrant" wait for each other.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/abi/abi.h>
#include <gantry/result.hpp>
#include <gantry/testing/reply.hpp>

namespace gantry::testing {

// A plugin that is linked into the test, so that a debugger and coverage see its sources;
// `manifest` is the path of the composed manifest (GANTRY_PLUGIN_MANIFEST), or the manifest itself
// if it begins with '{'. start() refuses what the host refuses.
struct Linked {
  const gantry_plugin& plugin;
  std::string manifest;
};

// A plugin's file, as it is delivered; the manifest is read from its ELF note. It stays mapped
// until the test program ends.
struct Loaded {
  std::filesystem::path file;
};

// The fake client's capabilities: the questions it answers, tasks, and reconnecting for the answer
// of a call that released its connection. Switch one off to test how a handler continues without
// it.
struct ClientCan {
  bool elicit = true, elicit_url = true, sample = true, list_roots = true;
  bool tasks = true;
  bool comes_back = false;
};

// The surroundings of the plugin; they do not change while the fake host lives.
struct Options {
  // The plugin's section of the configuration, a JSON object. It is not checked against the
  // manifest's "config" schema.
  std::string config = "{}";
  // The values of gantry.secret/1 by name; all others are GANTRY_NOT_FOUND.
  std::map<std::string, std::string, std::less<>> secrets;
  // The caller's agent, as gantry_call_api.property("agent") returns it.
  std::string agent = R"({"name":"test","permissions":"admin","depth":0})";
  // What the caller's agent may see, as property("agent_scope") returns it; empty: the host gives
  // the plugin none.
  std::string agent_scope;
  // The tier up to which calls may change something, as property("writes_up_to") returns it.
  std::string writes_up_to = "readonly";
  // The client's MCP revision, as gantry_call_api.property("protocol") returns it.
  std::string protocol = "2026-07-28";
  // The limit of one answer; writes beyond it are GANTRY_TOO_BIG. Counted without escapes and
  // Base64.
  std::size_t max_answer_bytes = 4U << 20U;
  ClientCan client;
  // The limit of running tasks; a further one is GANTRY_BUSY. A task that asks does not count.
  std::size_t max_tasks = 32;
  // The time limit of stop(), and the time until a call that is past its deadline is reported as
  // stuck.
  std::chrono::milliseconds patience{5000};
  // Delays every write of a call, so that overlapping writes of two threads are detected.
  std::chrono::microseconds write_delay{0};
  // Whether threads that are alive a second after stop() are violations; switch off if the test
  // makes its own threads meanwhile.
  bool check_threads = true;
  // Receives the sentence of a violation, on the thread that found it; by default it fails the
  // test.
  std::function<void(const std::string& violation)> on_violation;
};

// Settings of one call; those of the fake host are Options.
struct CallOptions {
  // The deadline of the call, from its beginning. When it passes, the reply is "timeout", as from
  // the host; a plugin that still runs Options.patience later is reported.
  std::chrono::milliseconds timeout{30000};
  // Passes arguments to the plugin even if they do not satisfy the input schema, or if a prompt has
  // no such argument: for handlers that check by themselves.
  bool skip_validation = false;
  // The caller's agent, a JSON object; empty: Options.agent. The same of its scope.
  std::string agent, agent_scope;
  // Whether the host makes the call for itself, as property("is_of_host") tells it.
  bool is_of_host = false;
};

// A running call; wait() may be called any number of times, and copies are the same call. The
// destructor of the last copy waits for the plugin. It must not outlive its FakeHost.
class RunningCall {
 public:
  struct State;
  explicit RunningCall(std::shared_ptr<State> state) : state_(std::move(state)) {}
  // Cancels like a client: the answer is "cancelled", hooks fire on this thread, writes are
  // refused. Has no effect on a call that has ended.
  void cancel();
  // Waits until the plugin has finished the call, and enters it again for each round of questions
  // that has answers.
  Reply wait();

 private:
  std::shared_ptr<State> state_;
};

// The answer of a tool or service of "another plugin" to gantry.invoke/1.
struct Answer {
  // Type and body in order: {"json", "{…}"}, {"text", "…"}. A failure without parts gets a general
  // one of the type "error".
  std::vector<std::pair<std::string, std::string>> parts;  // {"json", "{…}"}, {"text", "…"}
  gantry_status status = GANTRY_OK;
};
// Runs on the thread of the calling handler; the views are valid until it returns.
using Provider = std::function<Answer(std::string_view arguments, std::string_view narrowing)>;

// An event that the plugin sent through gantry.events/1.
struct Event {
  // "updated", "deleted" or "list_changed"; the last has no URI.
  std::string kind;
  // `metadata` is a JSON object, or "".
  std::string uri, metadata;
};

// Owns the plugin's instance; the destructor stops and destroys it. A call that a test began must
// be waited for, or finished by the plugin, before. Functions that call the plugin start it first,
// and then fail with its reason if it cannot be started.
// It has more than twenty methods: one for each way in which a client or the host enters a plugin.
class FakeHost {
 public:
  // Reads the manifest, but runs none of the plugin's code. Errors appear in start(). What `plugin`
  // refers to must outlive the fake host.
  explicit FakeHost(const Linked& plugin, Options options = {});
  explicit FakeHost(const Loaded& plugin, Options options = {});
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;
  // stop(), with its checks, and destroy() of the plugin.
  ~FakeHost();

  // create() and start() of the plugin, once; later calls return the same result. The message of a
  // refusal has the last line that the plugin logged at error or worse.
  Status start();
  // stop() of the plugin within Options.patience, after running calls have returned, with its
  // checks: pending calls are finished, threads are joined, the working directory and the locale
  // are unchanged. Later calls of items are refused with GANTRY_STOPPING. There is no second
  // start().
  Status stop();

  // Calls a tool and waits. `arguments` is a JSON object; one that does not satisfy the input
  // schema is refused with "invalid_argument", as by the host, without entering the plugin. An
  // unknown tool is "not_found".
  Reply call(std::string_view tool, std::string_view arguments = "{}", const CallOptions& = {});
  // The same for a service of the plugin, "id/REV"; Reply::part() has its parts.
  Reply call_service(std::string_view name, std::string_view arguments = "{}",
                     const CallOptions& = {});
  // Begins a call of a tool without waiting: for cancellation, overlapping calls and deferred
  // answers.
  RunningCall begin(std::string_view tool, std::string_view arguments = "{}",
                    const CallOptions& = {});
  // Enters the self-check, also if the manifest does not announce one.
  Reply self_check();
  // Enters the plugin with any kind and name, even those that it does not offer, and any arguments:
  // for the rules of dispatching.
  Reply enter(std::string_view kind, std::string_view name, std::string_view arguments = "{}",
              const CallOptions& = {});

  // The other kinds, entered as clients do: a prompt by name, a resource by URI (fixed ones first,
  // then templates), the list of a template with "lists", completions for an argument of a prompt
  // or a variable of a template. `known` are the arguments that already have values, a JSON object.
  // Reply::messages, contents, listed and values have the answers.
  Reply prompt(std::string_view name, std::string_view arguments = "{}", const CallOptions& = {});
  Reply read(std::string_view uri, const CallOptions& = {});
  Reply list(std::string_view uri_template, const CallOptions& = {});
  Reply complete(std::string_view of, std::string_view argument, std::string_view value,
                 std::string_view known = "{}");

  // Sets the client's answer to every later request named `key`: the result object of its method,
  // for an elicitation {"action":"accept","content":{…}}. A handler that asks is entered again with
  // the answers, up to 8 rounds, inside call(), prompt(), read() or RunningCall::wait(). A question
  // without an answer ends the call with GANTRY_INPUT_REQUIRED. An answer of the wrong form, or one
  // that does not fit the question's schema, is ignored and logged in log().
  void answer_input(std::string_view key, std::string_view json);
  // Removes an answer; of a key without one nothing happens.
  void forget_input(std::string_view key);

  // Sets the subscribed URIs, which gantry_events_api.watched returns; a deleted resource leaves
  // them.
  void watch(std::vector<std::string> uris);
  // All events so far, in order.
  std::vector<Event> events() const;

  // Makes a tool or service of another plugin callable through gantry.invoke/1, also one with the
  // name of an item of this plugin; a later one replaces it. Anything else that the plugin calls is
  // "not_found". A call of its own item is entered on the same thread, GANTRY_BUSY without the flag
  // "reentrant".
  void provide(std::string_view kind, std::string_view name, Provider provider);

  // The names of the items of a kind, in the order of the offer; for resources and templates their
  // URIs. tools() are those of the kind "tool".
  std::vector<std::string> tools() const;
  // The names of the items of a kind; for resources and templates their URIs.
  std::vector<std::string> items(std::string_view kind) const;
  // The schemas of a tool as text, as clients get them; "" if there is none.
  std::string input_schema(std::string_view tool) const;
  std::string output_schema(std::string_view tool) const;
  // The lines for the host's log so far, also those that the fake host itself adds: an answer that
  // does not fit its question.
  std::vector<LogLine> log() const;
  // All violations so far, in order of discovery; each also failed the test or was given to
  // Options.on_violation.
  std::vector<std::string> violations() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry::testing
