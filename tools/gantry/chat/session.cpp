#include "tools/gantry/chat/session.hpp"

#include <cstdio>

#include "tools/gantry/chat/session_text.hpp"
#include "tools/gantry/command.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::chat {
namespace {

constexpr const char* kCommands =
    "/reset   begin anew; the cost stays\n"
    "/compact put a summary in the place of all but the last two questions\n"
    "/tools   the tools of the model\n"
    "/trace   the requests and calls of this session\n"
    "/cost    tokens and dollars of each request\n"
    "/history everything that was said\n"
    "/exit    leave\n";

constexpr const char* kSummarize =
    "Summarize the conversation below for yourself, so that you can go on with it: what the user "
    "wants, what was found out with which figures and names, what is still open. Write only the "
    "summary.\n\n";

std::string about_end(End end) {
  if (end == End::cut) return "(the answer is cut at the limit of its length)";
  if (end == End::full) return "(the model's context is full; /compact or /reset makes room)";
  return {};
}

}  // namespace

Session::Session(SessionParts parts)
    : parts_(std::move(parts)),
      loop_(
          parts_.model, parts_.tools, parts_.meter,
          [this](std::string_view text) { parts_.terminal.say(text); },
          [this] { parts_.terminal.end_saying(); }) {}

Played Session::play(const std::string& question) {
  const Played played = loop_.play(parts_.system, question, history_);
  if (const std::string about = about_end(played.end); !about.empty()) {
    parts_.terminal.remark(about);
  }
  return played;
}

int Session::converse() {
  for (std::string line;;) {
    parts_.stop.forget();
    if (parts_.stop.told()) return kFailed;  // SIGTERM
    const LineEnd end = parts_.terminal.read("> ", line);
    if (end == LineEnd::interrupted) continue;
    if (end == LineEnd::ended) return kDone;
    if (line.find_first_not_of(" \t") == line.npos) continue;
    parts_.terminal.remember(line);
    if (line.starts_with('/')) {
      if (!obey(line)) return kDone;
      continue;
    }
    if (parts_.meter.context_used() > parts_.compact_at) compact();
    const Played played = play(line);
    if (!played.status) complain(played.status, kFailed);
    parts_.terminal.remark(spent_text(played.spent) + " (session " +
                           dollars_text(parts_.meter.all().dollars) + ")");
  }
}

int Session::answer_once(const std::string& question, bool json) {
  const Played played = play(question);
  if (!played.status) {
    return complain(played.status.message(), kFailed, "\"" + error_code(played.status) + "\"");
  }
  if (json) parts_.terminal.print(visible_json(answer_json(played)) + "\n");
  return kDone;
}

// Returns whether the conversation goes on.
bool Session::obey(const std::string& line) {
  const std::string command = line.substr(0, line.find_first_of(" \t"));
  if (command == "/exit") return false;
  if (command == "/reset") {
    reset();
  } else if (command == "/compact") {
    compact();
  } else if (!report(command)) {
    parts_.terminal.remark(
        command == "/help" ? kCommands : "there is no command " + command + "\n" + kCommands);
  }
  return true;
}

bool Session::report(const std::string& command) {
  Terminal& terminal = parts_.terminal;
  if (command == "/tools") {
    terminal.print(parts_.tools.table(terminal_columns()));
  } else if (command == "/trace") {
    terminal.print(parts_.trace.text());
  } else if (command == "/cost") {
    terminal.print(parts_.meter.table());
  } else if (command == "/history") {
    terminal.print(history_text(history_.originals()));
  } else {
    return false;
  }
  return true;
}

void Session::reset() {
  history_.clear();
  parts_.meter.estimate_context(0);
  parts_.terminal.remark("the conversation begins anew");
}

void Session::compact() {
  const std::uint64_t before = estimated_tokens(history_.messages());
  const std::size_t cut = history_.cut_results();
  const std::string old = history_.old_text();
  if (cut == 0 && old.empty()) {
    parts_.terminal.remark("there is nothing to compact yet");
    return;
  }
  if (!old.empty()) summarize(old);
  parts_.meter.estimate_context(0);
  const std::uint64_t after = estimated_tokens(history_.messages());
  parts_.terminal.remark("compacted: the conversation has about " + grouped(after) +
                         " tokens, not " + grouped(before));
}

void Session::summarize(const std::string& old) {
  const Request request{.system = {}, .messages = {{.role = Role::user, .text = kSummarize + old}}};
  const Asked asked = parts_.model.ask(request, [](std::string_view) {});
  parts_.meter.add(asked.reply.model, asked.reply.usage);
  if (!asked.status || asked.reply.text.empty()) {
    complain("no summary was made: " + (asked.status ? std::string("the model wrote none")
                                                     : printable(asked.status.message())),
             kFailed);
    return;
  }
  history_.replace_old(asked.reply.text);
}

}  // namespace gantry::cli::chat
