// gantry approvals show|accept|decline ID
#include <unistd.h>

#include <cstdio>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "host/base/json.hpp"
#include "tools/gantry/approvals/approvals.hpp"
#include "tools/gantry/text/ask.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct AnswerOptions {
  HostChoice host;
  std::string verb, id, note;
  bool json = false, yes = false;
};

int send_answer(const AnswerOptions& options, Host& host, bool accept) {
  std::string params = "{";
  host::append_text_member(params, "id", options.id);
  host::append_json_member(params, "accept", accept ? "true" : "false");
  if (!options.note.empty()) host::append_text_member(params, "note", options.note);
  const auto answer = host.ask("approval.answer", params + "}");
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  std::puts(accept ? "accepted: it runs once" : "declined: it is not run");
  return kDone;
}

// What is accepted was shown before.
int answer_approval(const AnswerOptions& options) {
  const bool accept = options.verb == "accept";
  const bool asks = accept && !options.yes;
  if (asks && ::isatty(STDIN_FILENO) == 0) {
    return complain(
        "there is no terminal to ask at; look with `gantry approvals show` and accept "
        "with --yes",
        kUnusable);
  }
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  if (options.verb == "decline") return send_answer(options, **host, false);
  if (options.verb == "show" || asks) {
    const auto shown = (*host)->ask("approval.show", object({{"id", options.id}}));
    if (!shown) return complain(shown.status(), exit_code(shown.status()));
    const auto document = parsed(*shown);
    std::fputs((options.json ? pretty(document) + "\n" : approval_text(document)).c_str(), stdout);
  }
  if (options.verb == "show") return kDone;
  if (asks && !confirmed("Run it? [y/N] ")) {
    std::puts("not answered: it still waits");
    return kFailed;
  }
  return send_answer(options, **host, true);
}

}  // namespace

void declare_approvals_answer(CLI::App& approvals, Run& run) {
  struct Verb {
    const char *name, *help;
  };
  for (const Verb& verb : {Verb{"show", "What a call would do, with its arguments and preview"},
                           Verb{"accept", "Show a call, ask, and let it run"},
                           Verb{"decline", "Do not let a call run"}}) {
    auto options = std::make_shared<AnswerOptions>();
    options->verb = verb.name;
    CLI::App* command = approvals.add_subcommand(verb.name, verb.help);
    command->add_option("ID", options->id, "Of `gantry approvals list`")->required();
    if (options->verb == "show") {
      command->add_flag("--json", options->json, "As JSON");
    } else {
      command->add_option("--note", options->note, "Why, for the log");
    }
    if (options->verb == "accept") command->add_flag("--yes", options->yes, "Do not ask");
    declare_host(*command, options->host);
    command->callback([options, &run] { run = [options] { return answer_approval(*options); }; });
  }
}

}  // namespace gantry::cli
