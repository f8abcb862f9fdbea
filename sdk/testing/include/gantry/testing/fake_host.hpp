// gantry/testing/fake_host.hpp: runs a plugin without a host, and watches that it keeps the rules.
//
//   TEST(Greet, NamesThePerson) {
//     gantry::testing::FakeHost host(gantry::testing::Loaded{GANTRY_PLUGIN_FILE});
//     EXPECT_THAT(host.call("greet", R"({"name":"Ada"})"), HasText("Hello, Ada!"));
//   }
//
// It creates and starts the plugin at the first call (or start()), validates arguments against the
// input schemas and results against the output schemas, serves all services of the contract, and
// stops and destroys the plugin in the end. Each broken rule of the contract is one readable
// sentence: it fails the running test, unless Options.on_violation takes it.
//
// Threads: call() and the other functions from any thread. Each call runs on a thread of its own;
// calls of a plugin without the flag "reentrant" wait for each other.
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

// A plugin whose sources are linked into the test; `manifest` is the path of the composed manifest
// (GANTRY_PLUGIN_MANIFEST), or the manifest itself when it begins with '{'.
struct Linked {
  const gantry_plugin& plugin;
  std::string manifest;
};

// A plugin's file; its manifest is read from its note. It stays mapped until the test ends.
struct Loaded {
  std::filesystem::path file;
};

// What the fake client can be asked for, whether it knows tasks, and whether it comes back for the
// answer of a call that lets go of its connection.
struct ClientCan {
  bool elicit = true, elicit_url = true, sample = true, list_roots = true;
  bool tasks = true;
  bool comes_back = false;
};

struct Options {
  std::string config = "{}";
  std::map<std::string, std::string, std::less<>> secrets;
  // The caller of calls, as gantry_call_api.property("agent") gives it.
  std::string agent = R"({"name":"test","permissions":"admin","depth":0})";
  std::string protocol = "2026-07-28";
  std::size_t max_answer_bytes = 4U << 20U;
  ClientCan client;
  std::size_t max_tasks = 32;  // that run at once
  // How long stop() may take, and a dead call until it is reported as stuck.
  std::chrono::milliseconds patience{5000};
  // Stretches every write of a call, so that writes that overlap meet.
  std::chrono::microseconds write_delay{0};
  // Whether threads still alive after stop() count; switch off when the test makes its own.
  bool check_threads = true;
  // Takes the sentence about a broken rule; by default it fails the test.
  std::function<void(const std::string& violation)> on_violation;
};

struct CallOptions {
  std::chrono::milliseconds timeout{30000};
  // Arguments go to the plugin even when they do not satisfy the input schema.
  bool skip_validation = false;
  std::string agent;  // empty: Options.agent
};

// A call that runs; wait() exactly as often as wanted. Dropping it waits.
class RunningCall {
 public:
  struct State;
  explicit RunningCall(std::shared_ptr<State> state) : state_(std::move(state)) {}
  // Cancels as a client would: the answer is "cancelled", hooks fire, writes are refused.
  void cancel();
  // Until the plugin is done with the call.
  Reply wait();

 private:
  std::shared_ptr<State> state_;
};

// What a tool or service of "another plugin" answers to gantry.invoke/1.
struct Answer {
  std::vector<std::pair<std::string, std::string>> parts;  // {"json", "{…}"}, {"text", "…"}
  gantry_status status = GANTRY_OK;
};
using Provider = std::function<Answer(std::string_view arguments, std::string_view narrowing)>;

// What a plugin told through gantry.events/1.
struct Event {
  std::string kind;  // "updated", "deleted" or "list_changed"
  std::string uri, metadata;
};

class FakeHost {
 public:
  explicit FakeHost(const Linked& plugin, Options options = {});
  explicit FakeHost(const Loaded& plugin, Options options = {});
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;
  ~FakeHost();  // stop() and destroy

  // create() and start() of the plugin, once; the reason when it refuses.
  Status start();
  // stop() of the plugin and the checks that belong there; later calls are refused.
  Status stop();

  Reply call(std::string_view tool, std::string_view arguments = "{}", const CallOptions& = {});
  Reply call_service(std::string_view name, std::string_view arguments = "{}",
                     const CallOptions& = {});
  RunningCall begin(std::string_view tool, std::string_view arguments = "{}",
                    const CallOptions& = {});
  Reply self_check();
  // Enters the plugin with any kind and name, whether it offers that or not.
  Reply enter(std::string_view kind, std::string_view name, std::string_view arguments = "{}",
              const CallOptions& = {});

  // The other kinds, as clients reach them: a prompt by name, a resource by URI (fixed ones first,
  // then templates), the list of a template with "lists", suggestions for an argument of a prompt
  // or a variable of a template. `known` are the arguments filled in already.
  Reply prompt(std::string_view name, std::string_view arguments = "{}", const CallOptions& = {});
  Reply read(std::string_view uri, const CallOptions& = {});
  Reply list(std::string_view uri_template, const CallOptions& = {});
  Reply complete(std::string_view of, std::string_view argument, std::string_view value,
                 std::string_view known = "{}");

  // The client's answer to every request named `key` from now on: the result object of its method,
  // {"action":"accept","content":{…}} of an elicitation. A handler that asks is entered again with
  // what it asked for, up to 8 rounds, inside call(), prompt(), read() or RunningCall::wait(); what
  // nobody answers ends the call with GANTRY_INPUT_REQUIRED. An answer of the wrong form, or that
  // does not fit the schema of the question, counts as none, and log() says so.
  void answer_input(std::string_view key, std::string_view json);
  void forget_input(std::string_view key);

  // Who listens: what gantry_events_api.watched says.
  void watch(std::vector<std::string> uris);
  std::vector<Event> events() const;  // all until now, in order

  // Makes a tool or service of another plugin callable through gantry.invoke/1.
  void provide(std::string_view kind, std::string_view name, Provider provider);

  std::vector<std::string> tools() const;  // names, as a list of tools would show them
  // Names of the items of a kind; of resources and templates their URIs.
  std::vector<std::string> items(std::string_view kind) const;
  std::string input_schema(std::string_view tool) const;  // "" when there is none
  std::string output_schema(std::string_view tool) const;
  std::vector<LogLine> log() const;             // lines for the host's log
  std::vector<std::string> violations() const;  // all until now

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry::testing
