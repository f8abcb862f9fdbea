// Checks that make calls: each item, cancelled calls, calls pending at stop(), many calls at once.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gantry/json_writer.hpp>

#include "tools/gantry/check/bench.hpp"

namespace gantry::cli {
namespace {

using testing::CallOptions;
using testing::FakeHost;
using testing::Reply;

constexpr std::chrono::milliseconds kCall{5000}, kShort{1000}, kHammer{1000};
constexpr int kHammers = 4;

CallOptions within(std::chrono::milliseconds timeout) {
  CallOptions options;
  options.timeout = timeout;
  return options;
}

std::string no_arguments(std::string_view tool) {
  return "no arguments could be made up from the input schema of the tool '" + std::string(tool) +
         "'; give some: --arguments '" + std::string(tool) + "={…}'";
}

// Reports a failed call: a fault of the plugin, or of the generated arguments.
void judge_failure(const Reply& reply, Report& report) {
  if (reply.timed_out) {
    return report.fault("it did not answer within " + std::to_string(kCall.count() / 1000) + " s");
  }
  if (reply.needs_input()) return report.note("it asks the caller's person or model first");
  const std::string said = reply.error_code + (reply.message.empty() ? "" : ": " + reply.message);
  if (reply.message.empty()) {
    return report.warn("it fails with " + said +
                       " and no sentence; say what is wrong and what to do with fail()");
  }
  if (reply.error_code == "internal_error") return report.warn("it fails with " + said);
  report.note("it answers with the error " + said);
}

// An answer after a question that has none: the client is never asked.
void judge_questions(const Reply& reply, Report& report) {
  if (!reply.ok() || reply.asked.empty()) return;
  report.fault("it asks for the input '" + reply.asked.front().key +
               "' and then answers without it, so that the question is never sent; return "
               "GANTRY_INPUT_REQUIRED (2), which is no error and above zero");
}

void judge(const Reply& reply, bool has_schema, Report& report) {
  if (!reply.ok()) return judge_failure(reply, report);
  judge_questions(reply, report);
  if (has_schema && reply.structured.empty()) {
    report.fault("it has an output schema, but gave no structured result");
  } else if (reply.structured.empty() && reply.content.empty()) {
    report.warn("its answer is empty");
  }
}

void call_tool(const Subject& subject, FakeHost& host, std::string_view tool, Report& report) {
  const auto arguments = arguments_for(subject, host, tool);
  if (!arguments) return report.warn(no_arguments(tool));
  report.note("called with " + *arguments);
  judge(host.call(tool, *arguments, within(kCall)), !host.output_schema(tool).empty(), report);
}

void get_prompt(FakeHost& host, std::string_view prompt, Report& report) {
  Reply reply = host.prompt(prompt, "{}", within(kCall));
  // A refusal names a missing argument; each missing one gets a word until none is left.
  std::string given;
  for (int tries = 0; tries < 64 && !reply.ok(); ++tries) {
    constexpr std::string_view kBegin = "arguments.", kEnd = ": is missing";
    const auto end = reply.message.find(kEnd);
    if (!reply.message.starts_with(kBegin) || end == std::string::npos) break;
    const std::string name = reply.message.substr(kBegin.size(), end - kBegin.size());
    std::string pair;
    JsonWriter out(pair);
    out.begin_object().key(name).string("x").end_object();
    given += (given.empty() ? "" : ",") + pair.substr(1, pair.size() - 2);
    reply = host.prompt(prompt, "{" + given + "}", within(kCall));
  }
  if (!reply.ok()) return judge_failure(reply, report);
  judge_questions(reply, report);
}

// Cancels calls a while after begin(): a handler with its own thread may continue until it learns
// that the caller has gone.
class Canceller {
 public:
  explicit Canceller(std::vector<testing::RunningCall>& calls)
      : thread_([this, &calls] { work(calls); }) {}
  ~Canceller() {
    end();
    thread_.join();
  }
  Canceller(const Canceller&) = delete;
  Canceller& operator=(const Canceller&) = delete;

  void begin() { set(begun_); }
  // Waits for cancelling that has begun.
  void end() { set(over_); }

 private:
  void set(bool& what) {
    const std::lock_guard lock(mutex_);
    what = true;
    changed_.notify_all();
  }
  void work(std::vector<testing::RunningCall>& calls) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return begun_ || over_; });
    if (changed_.wait_for(lock, kShort, [this] { return over_; })) return;
    for (testing::RunningCall& call : calls) call.cancel();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool begun_ = false, over_ = false;
  std::thread thread_;
};

}  // namespace

void check_item(const Subject& subject, std::string_view kind, std::string_view name,
                Report& report) {
  with_started(subject, report, [&](FakeHost& host) {
    if (kind == "tool") return call_tool(subject, host, name, report);
    if (kind == "prompt") return get_prompt(host, name, report);
    const Reply reply = host.read(name, within(kCall));
    if (!reply.ok()) return judge_failure(reply, report);
    judge_questions(reply, report);
  });
}

void check_unknown(const Subject& subject, Report& report) {
  with_started(subject, report, [&](FakeHost& host) {
    const Reply kind = host.enter("kind-of-the-future", "x", "{}", within(kShort));
    if (kind.status != GANTRY_UNSUPPORTED) {
      report.fault("a kind it cannot know got the status " + std::to_string(kind.status) +
                   "; invoke() answers it with GANTRY_UNSUPPORTED (-9)");
    }
    const Reply name = host.enter("tool", "no-such-tool", "{}", within(kShort));
    if (name.status != GANTRY_NOT_FOUND && name.status != GANTRY_UNSUPPORTED) {
      report.fault("a tool it does not have got the status " + std::to_string(name.status) +
                   "; invoke() answers it with GANTRY_NOT_FOUND (-3)");
    }
  });
}

void check_cancel(const Subject& subject, Report& report) {
  with_started(subject, report, [&](FakeHost& host) {
    for (const std::string& tool : host.tools()) {
      const auto arguments = arguments_for(subject, host, tool);
      if (!arguments) continue;
      report.calling(tool);
      testing::RunningCall call = host.begin(tool, *arguments, within(kShort));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      call.cancel();
      static_cast<void>(call.wait());
    }
  });
}

void check_stop(const Subject& subject, Report& report) {
  std::vector<testing::RunningCall> calls;
  // Created before the plugin starts, so that its thread is not counted as one of the plugin.
  Canceller canceller(calls);
  with_started(subject, report, [&](FakeHost& host) {
    for (const std::string& tool : host.tools()) {
      const auto arguments = arguments_for(subject, host, tool);
      if (!arguments) continue;
      report.calling(tool);
      calls.push_back(host.begin(tool, *arguments, within(kCall)));
    }
    canceller.begin();
    const Status stopped = host.stop();
    canceller.end();
    if (!stopped) report.fault(stopped.message());
    for (testing::RunningCall& call : calls) static_cast<void>(call.wait());
  });
}

void check_reentrant(const Subject& subject, Report& report) {
  with_started(subject, report, [&](FakeHost& host) {
    std::vector<std::pair<std::string, std::string>> calls;
    for (const std::string& tool : host.tools()) {
      if (auto arguments = arguments_for(subject, host, tool)) calls.emplace_back(tool, *arguments);
    }
    if (calls.empty()) return report.note("it has no tool that could be called");
    std::atomic<std::size_t> made{0};
    const auto until = std::chrono::steady_clock::now() + kHammer;
    std::vector<std::thread> threads;
    for (int i = 0; i < kHammers; ++i) {
      threads.emplace_back([&] {
        while (std::chrono::steady_clock::now() < until) {
          const auto& [tool, arguments] = calls[made++ % calls.size()];
          static_cast<void>(host.call(tool, arguments, within(kCall)));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    report.note(std::to_string(made) + " calls by " + std::to_string(kHammers) + " threads");
  });
}

}  // namespace gantry::cli
