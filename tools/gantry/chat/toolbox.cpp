#include "tools/gantry/chat/toolbox.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <rapidjson/document.h>

#include "tools/gantry/chat/duration.hpp"
#include "tools/gantry/chat/questions.hpp"
#include "tools/gantry/chat/result_text.hpp"
#include "tools/gantry/mcp/progress_line.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;
using std::chrono::steady_clock;

constexpr std::size_t kAtOnce = 4;
constexpr int kQuestions = 8;  // rounds of them in one call
constexpr const char* kCancelled = "cancelled by the user";

// A tool that says nothing of itself may destroy something: that is what the protocol assumes.
bool may_destroy(const Value& tool) {
  const auto& annotations = member(tool, "annotations");
  return !member(annotations, "readOnlyHint").IsTrue() &&
         !member(annotations, "destructiveHint").IsFalse();
}

std::string told_schema(const Value& tool) {
  rapidjson::Document out;
  out.CopyFrom(member(tool, "inputSchema"), out.GetAllocator());
  if (!out.IsObject()) return R"({"type":"object","properties":{}})";
  out.RemoveMember("$schema");
  return compact(out);
}

}  // namespace

// A call on its way. `params` is empty when it is not sent: its result stands already.
struct ToolBox::Running {
  Called called{};
  std::string params{};
  rapidjson::Document waiting{};  // a result that asks; null: none
  steady_clock::time_point start = steady_clock::now();

  void end(std::string text, bool is_error) {
    called.result.text = std::move(text);
    called.result.is_error = is_error;
    params.clear();
  }
  void cancel() {
    end(kCancelled, true);
    called.is_cancelled = true;
  }
  void measure() { called.ms += ms_since(start); }
};

Result<ToolBox> ToolBox::create(const Client& client, const rapidjson::Document& listed,
                                const std::vector<std::string>& only, Person& person, bool yes,
                                OnCalled on_called) {
  for (const auto& name : only) {
    if (find_tool(listed, name) == nullptr) {
      return Status::not_found("--tools: " + no_such_tool(listed, name));
    }
  }
  ToolBox out(client, person, yes, std::move(on_called));
  for (const auto& tool : listed["tools"].GetArray()) {
    const std::string name = text_at(tool, "name");
    if (only.empty() || std::find(only.begin(), only.end(), name) != only.end()) out.add(tool);
  }
  return out;
}

void ToolBox::add(const Value& tool) {
  const std::string name = text_at(tool, "name");
  specs_.push_back({names_.add(name), text_at(tool, "description"), told_schema(tool)});
  destructive_[name] = may_destroy(tool);
}

std::vector<Called> ToolBox::run(const std::vector<ToolCall>& calls) {
  std::vector<Running> all(calls.size());
  bool stopped = false;
  for (std::size_t i = 0; i < calls.size(); ++i) prepare(calls[i], all[i], stopped);
  send_all(all);
  for (auto& one : all) answer(one, stopped);
  std::vector<Called> out;
  for (auto& one : all) out.push_back(std::move(one.called));
  return out;
}

// Everything that is decided before the call is sent.
void ToolBox::prepare(const ToolCall& call, Running& running, bool& stopped) {
  const std::string name = names_.own(call.name);
  running.called = {.result = {.id = call.id, .text = {}},
                    .name = name.empty() ? call.name : name,
                    .arguments = call.arguments};
  if (stopped) return running.cancel();
  if (name.empty()) {
    std::vector<std::string> known;
    for (const auto& spec : specs_) known.push_back(spec.name);
    return running.end("there is no tool '" + call.name + "'" + did_you_mean(call.name, known),
                       true);
  }
  const auto arguments = parsed(call.arguments.empty() ? "{}" : call.arguments);
  if (!arguments.IsObject()) {
    return running.end("the arguments are not a JSON object: call the tool again with one", true);
  }
  if (destructive_[name] && !yes_) {
    const Said said = person_->confirm("The model calls " + name + " " + compact(arguments) +
                                       "\nIt may change or remove data. Run it?");
    stopped = said == Said::stopped;
    if (stopped) return running.cancel();
    if (said == Said::no) return running.end("the user declined: the tool did not run", true);
  }
  running.params = params_of_call(name, compact(arguments));
}

void ToolBox::send(Running& running) const {
  running.start = steady_clock::now();
  const auto answer =
      client_->ask("tools/call", running.params, running.called.name, [&](const Value& progress) {
        const std::string text = waiting_text(progress);
        if (!text.empty()) person_->remark("  " + running.called.name + "  " + text);
      });
  running.measure();
  if (!answer) {
    if (answer.status().code() == GANTRY_CANCELLED) return running.cancel();
    return running.end(answer.message(), true);
  }
  auto document = parsed(*answer);
  if (is_waiting(member(document, "result"))) {
    running.waiting.CopyFrom(document["result"], running.waiting.GetAllocator());
    return;
  }
  auto text = result_text(document);
  running.end(std::move(text.text), text.is_error);
}

void ToolBox::send_all(std::vector<Running>& all) const {
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < all.size();) {
      if (!all[i].params.empty()) send(all[i]);
      if (!all[i].waiting.IsNull()) continue;
      const std::lock_guard lock(telling);
      on_called_(all[i].called);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(kAtOnce, all.size()); ++i) threads.emplace_back(work);
  work();
}

// Answers what the call asks until it has its result.
void ToolBox::answer(Running& running, bool& stopped) {
  if (running.waiting.IsNull()) {
    stopped = stopped || running.called.is_cancelled;
    return;
  }
  for (int round = 0; round < kQuestions && !running.waiting.IsNull() && !stopped; ++round) {
    rapidjson::Document waiting;
    waiting.Swap(running.waiting);
    const Answers answers = answers_to(waiting, *person_);
    stopped = answers.stopped;
    running.params = with_answers(running.params, waiting, answers.text);
    // The user's "cancel" reaches the server too, unless Ctrl-C already closes connections.
    if (!stopped) send(running);
  }
  if (!running.params.empty()) {
    stopped ? running.cancel() : running.end("the tool asked too often", true);
  }
  on_called_(running.called);
}

std::string ToolBox::table(std::size_t width) const {
  std::vector<std::vector<std::string>> rows{{"NAME", "ASKS FIRST", "DESCRIPTION"}};
  for (const auto& spec : specs_) {
    const std::string own = names_.own(spec.name);
    const bool asks = destructive_.at(own) && !yes_;
    rows.push_back({printable(own), asks ? "yes" : "", printable(spec.description)});
  }
  return cli::table(fitted(std::move(rows), width));
}

}  // namespace gantry::cli::chat
