// tools/gantry/chat/session.hpp: a conversation from its first question to its last.
//
// Main thread.
#pragma once

#include <string>

#include "tools/gantry/chat/history.hpp"
#include "tools/gantry/chat/loop.hpp"
#include "tools/gantry/chat/meter.hpp"
#include "tools/gantry/chat/terminal.hpp"
#include "tools/gantry/chat/toolbox.hpp"
#include "tools/gantry/chat/trace.hpp"

namespace gantry::cli::chat {

struct SessionParts {
  Model& model;
  ToolBox& tools;
  Meter& meter;
  Trace& trace;
  Terminal& terminal;
  Stop& stop;
  std::string system;
  std::uint64_t compact_at;  // tokens; more of them in a request compact what is old
};

class Session {
 public:
  explicit Session(SessionParts parts);

  // Lines of the user until /exit or their end; the exit code.
  int converse();
  // One question; the exit code. As JSON: {answer, tool_calls, usage, cost_usd, rounds, model}.
  int answer_once(const std::string& question, bool json);

 private:
  Played play(const std::string& question);
  bool obey(const std::string& command);
  bool report(const std::string& command);
  void reset();
  void compact();
  void summarize(const std::string& old);

  SessionParts parts_;
  Loop loop_;
  History history_;
};

}  // namespace gantry::cli::chat
