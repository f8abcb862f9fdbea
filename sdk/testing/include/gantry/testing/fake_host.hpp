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
// the running test, unless Options.on_violation receives it.
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

// A plugin that is linked into the test; `manifest` is the path of the composed manifest
// (GANTRY_PLUGIN_MANIFEST), or the manifest itself if it begins with '{'. start() refuses what the
// host refuses.
struct Linked {
  const gantry_plugin& plugin;
  std::string manifest;
};

// A plugin's file; the manifest is read from its ELF note. It stays mapped until the test ends.
struct Loaded {
  std::filesystem::path file;
};

// The fake client's capabilities: the questions it answers, tasks, and reconnecting for the answer
// of a call that released its connection.
struct ClientCan {
  bool elicit = true, elicit_url = true, sample = true, list_roots = true;
  bool tasks = true;
  bool comes_back = false;
};

struct Options {
  std::string config = "{}";
  std::map<std::string, std::string, std::less<>> secrets;
  // The caller's agent, as gantry_call_api.property("agent") returns it.
  std::string agent = R"({"name":"test","permissions":"admin","depth":0})";
  std::string protocol = "2026-07-28";
  std::size_t max_answer_bytes = 4U << 20U;
  ClientCan client;
  std::size_t max_tasks = 32;  // limit of running tasks
  // The time limit of stop(), and the time until a call that is past its deadline is reported as
  // stuck.
  std::chrono::milliseconds patience{5000};
  // Delays every write of a call, so that overlapping writes are detected.
  std::chrono::microseconds write_delay{0};
  // Whether threads alive after stop() are violations; switch off if the test makes its own
  // threads.
  bool check_threads = true;
  // Receives the sentence of a violation; by default it fails the test.
  std::function<void(const std::string& violation)> on_violation;
};

struct CallOptions {
  std::chrono::milliseconds timeout{30000};
  // Passes arguments to the plugin even if they do not satisfy the input schema.
  bool skip_validation = false;
  std::string agent;  // empty: Options.agent
};

// A running call; wait() may be called any number of times. The destructor waits.
class RunningCall {
 public:
  struct State;
  explicit RunningCall(std::shared_ptr<State> state) : state_(std::move(state)) {}
  // Cancels like a client: the answer is "cancelled", hooks fire, writes are refused.
  void cancel();
  // Waits until the plugin has finished the call.
  Reply wait();

 private:
  std::shared_ptr<State> state_;
};

// The answer of a tool or service of "another plugin" to gantry.invoke/1.
struct Answer {
  std::vector<std::pair<std::string, std::string>> parts;  // {"json", "{…}"}, {"text", "…"}
  gantry_status status = GANTRY_OK;
};
using Provider = std::function<Answer(std::string_view arguments, std::string_view narrowing)>;

// An event that the plugin sent through gantry.events/1.
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

  // create() and start() of the plugin, once; returns the reason if it refuses.
  Status start();
  // stop() of the plugin, with its checks; later calls are refused.
  Status stop();

  Reply call(std::string_view tool, std::string_view arguments = "{}", const CallOptions& = {});
  Reply call_service(std::string_view name, std::string_view arguments = "{}",
                     const CallOptions& = {});
  RunningCall begin(std::string_view tool, std::string_view arguments = "{}",
                    const CallOptions& = {});
  Reply self_check();
  // Enters the plugin with any kind and name, even those that it does not offer.
  Reply enter(std::string_view kind, std::string_view name, std::string_view arguments = "{}",
              const CallOptions& = {});

  // The other kinds, entered as clients do: a prompt by name, a resource by URI (fixed ones first,
  // then templates), the list of a template with "lists", completions for an argument of a prompt
  // or a variable of a template. `known` are the arguments that already have values.
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
  void forget_input(std::string_view key);

  // Sets the subscribed URIs, which gantry_events_api.watched returns.
  void watch(std::vector<std::string> uris);
  std::vector<Event> events() const;  // all events so far, in order

  // Makes a tool or service of another plugin callable through gantry.invoke/1.
  void provide(std::string_view kind, std::string_view name, Provider provider);

  std::vector<std::string> tools() const;  // names, as in a list of tools
  // The names of the items of a kind; for resources and templates their URIs.
  std::vector<std::string> items(std::string_view kind) const;
  std::string input_schema(std::string_view tool) const;  // "" when there is none
  std::string output_schema(std::string_view tool) const;
  std::vector<LogLine> log() const;             // lines for the host's log
  std::vector<std::string> violations() const;  // all violations so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gantry::testing
