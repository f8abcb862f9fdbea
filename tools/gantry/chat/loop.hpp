// tools/gantry/chat/loop.hpp: one question: the model and its tools in turn, until it has answered.
//
// No network here. Main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gantry/status.hpp>

#include "tools/gantry/chat/history.hpp"
#include "tools/gantry/chat/message.hpp"
#include "tools/gantry/chat/meter.hpp"

namespace gantry::cli::chat {

// A request's outcome. When `status` failed, `reply` has what came before, as text and usage.
// GANTRY_CANCELLED: the user stopped it.
struct Asked {
  Status status{};
  Reply reply{};
};

class Model {
 public:
  virtual ~Model() = default;
  virtual Asked ask(const Request& request, const OnText& on_text) = 0;
  // Message::wire of an assistant that said only `text`.
  virtual std::string said(const std::string& text) const = 0;
};

struct Called {
  ToolResult result{};
  std::string name;       // the tool's own
  std::string arguments;  // the model's text
  std::int64_t ms = 0;
  bool is_cancelled = false;  // the user stopped it
};

class Tools {
 public:
  virtual ~Tools() = default;
  virtual const std::vector<ToolSpec>& specs() const = 0;
  // Runs all calls; the outcomes are in the same order. Whatever goes wrong is a result.
  virtual std::vector<Called> run(const std::vector<ToolCall>& calls) = 0;
};

// `status` failed: why there is no answer; `answer` is then what the model said until then.
struct Played {
  Status status{};
  std::string answer{}, model{};
  int rounds = 0;  // of tools
  End end = End::answered;
  std::vector<Called> calls{};
  Spent spent{};
};

constexpr int kRounds = 8;

class Loop {
 public:
  // `on_reply` is called after the text of each reply.
  Loop(Model& model, Tools& tools, Meter& meter, OnText on_text, std::function<void()> on_reply)
      : model_(model),
        tools_(tools),
        meter_(meter),
        on_text_(std::move(on_text)),
        on_reply_(std::move(on_reply)) {}

  // Afterwards the history can be sent again, whatever happened: every call in it has its result,
  // and a question that was not answered at all, or refused, is not there.
  Played play(const std::string& system, const std::string& question, History& history);

 private:
  Asked ask(const std::string& system, const History& history, bool may_call, Played& played);
  bool take(const Asked& asked, bool may_call, History& history, Played& played);
  bool run_tools(const std::vector<ToolCall>& calls, History& history, Played& played);
  void keep_answer(const Played& played, History& history) const;
  void give_up(const Asked& asked, History& history, Played& played) const;

  Model& model_;
  Tools& tools_;
  Meter& meter_;
  const OnText on_text_;
  const std::function<void()> on_reply_;
};

}  // namespace gantry::cli::chat
