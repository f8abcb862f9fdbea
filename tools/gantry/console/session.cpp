#include "tools/gantry/console/session.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <rapidjson/document.h>

#include "tools/gantry/console/completer.hpp"
#include "tools/gantry/console/grammar.hpp"
#include "tools/gantry/console/prompt_text.hpp"
#include "tools/gantry/dev/child.hpp"
#include "tools/gantry/mcp/arguments.hpp"
#include "tools/gantry/mcp/shown_request.hpp"
#include "tools/gantry/mcp/tool.hpp"
#include "tools/gantry/project/sdk.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/nearest.hpp"
#include "tools/gantry/text/pager.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::console {
namespace {

constexpr const char* kHelp =
    R"(tools [NAME]                 the tools, or one with its arguments
schemas [PREFIX]             the classes
schema CLASS                 a class: its fields
q CLASS [KEY=VALUE]…         rows, as query_class
count CLASS [KEY=VALUE]…     how many, as count_objects
t TOOL [JSON] [KEY=VALUE]…   calls a tool
prompts                      the prompts
prompt NAME [KEY=VALUE]…     a prompt's messages
dispatch METHOD [JSON]       any request of the protocol
ask QUESTION                 a model answers with these tools
exit                         leaves, as Ctrl-D does

q countries where={"name":{"$regex":"^A"}} order=name limit=5
An open bracket or quote continues on the next line. Tab completes, Ctrl-C cancels.
)";

void show(const std::string& text) { show_paged(::isatty(1) == 1 ? printable_lines(text) : text); }

std::vector<std::string> rest_of(const std::vector<std::string>& words, std::size_t first) {
  if (words.size() <= first) return {};
  return {words.begin() + static_cast<std::ptrdiff_t>(first), words.end()};
}

}  // namespace

Session::Session(const Client& client, Catalog& catalog, Stop& stop)
    : client_(client), catalog_(catalog), stop_(stop) {}

Session::Command Session::command_of(const std::string& word) {
  static const std::pair<const char*, Command> kCommands[] = {
      {"help", &Session::help},       {"tools", &Session::tools},
      {"schemas", &Session::schemas}, {"schema", &Session::schema},
      {"t", &Session::call},          {"q", &Session::query},
      {"count", &Session::count},     {"dispatch", &Session::dispatch},
      {"prompts", &Session::prompts}, {"prompt", &Session::prompt},
      {"ask", &Session::ask},         {"exit", &Session::leave}};
  for (const auto& [name, command] : kCommands) {
    if (word == name) return command;
  }
  return nullptr;
}

Outcome Session::run(const std::string& text) {
  const Words words = words_of(text);
  if (words.empty()) return Outcome::done;
  const Command command = command_of(words[0]);
  if (command == nullptr) {
    const std::string nearest = did_you_mean(words[0], console_words());
    return fail("there is no command '" + printable(words[0]) + "'" +
                (nearest.empty() ? "; help lists them" : nearest));
  }
  const Outcome outcome = (this->*command)(words);
  stop_.forget();
  return stop_.told() ? Outcome::leave : outcome;
}

Outcome Session::fail(const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", printable_lines(sentence).c_str());
  return Outcome::failed;
}

Outcome Session::help(const Words& /*words*/) {
  show(kHelp);
  return Outcome::done;
}

Outcome Session::leave(const Words& /*words*/) { return Outcome::leave; }

Outcome Session::tools(const Words& words) {
  if (Status loaded = catalog_.load(); !loaded) return fail(loaded.message());
  if (words.size() == 1) {
    show(tool_table(catalog_.tools(), terminal_columns()));
    return Outcome::done;
  }
  const auto* tool = find_tool(catalog_.tools(), words[1]);
  if (tool == nullptr) return fail(no_such_tool(catalog_.tools(), words[1]));
  show(tool_page(*tool, terminal_columns()));
  return Outcome::done;
}

Outcome Session::schemas(const Words& words) {
  Words arguments;
  if (words.size() > 1) arguments.push_back("prefix=" + words[1]);
  return call_tool("get_all_schemas", arguments, Form::table);
}

Outcome Session::schema(const Words& words) {
  if (words.size() != 2) return fail("schema needs the name of a class; schemas lists them");
  return call_tool("get_schema", {"class_name=" + words[1]}, Form::table);
}

Outcome Session::call(const Words& words) {
  if (words.size() < 2) return fail("t needs the name of a tool; tools lists them");
  return call_tool(words[1], rest_of(words, 2), Form::pretty);
}

Outcome Session::query(const Words& words) {
  if (words.size() < 2) return fail("q needs the name of a class; schemas lists them");
  Words arguments = rest_of(words, 2);
  arguments.push_back("class_name=" + words[1]);
  return call_tool("query_class", arguments, Form::table);
}

Outcome Session::count(const Words& words) {
  if (words.size() < 2) return fail("count needs the name of a class; schemas lists them");
  Words arguments = rest_of(words, 2);
  arguments.push_back("class_name=" + words[1]);
  return call_tool("count_objects", arguments, Form::table);
}

Outcome Session::call_tool(const std::string& tool, Words arguments, Form form) {
  const auto* found = find_tool(catalog_.tools(), tool);
  if (found == nullptr) return fail(no_such_tool(catalog_.tools(), tool));
  const auto given = arguments_of(arguments, schema_of(*found));
  if (!given) return fail(given.message());
  const auto result = result_of_request("tools/call", params_of_call(tool, *given), tool);
  if (!result) return fail(result.message());
  show(answer_text(*result, form, terminal_columns()));
  if (form == Form::table && !next_page(*result, {}).empty()) {
    std::fputs("There are more rows: give limit= or skip=\n", stderr);
  }
  return Outcome::done;
}

Result<rapidjson::Document> Session::result_of_request(const std::string& method,
                                                       const std::string& params,
                                                       const std::string& name) {
  std::optional<Refusal> refusal;  // its message is that of the status
  return ask_shown(client_, method, params, name, refusal);
}

Outcome Session::dispatch(const Words& words) {
  if (words.size() < 2) return fail("dispatch needs a method, such as tools/list");
  const std::string params = words.size() > 2 ? words[2] : "{}";
  const auto given = parsed(params);
  if (!given.IsObject() || words.size() > 3) {
    return fail("the parameters of dispatch are one JSON object");
  }
  const std::string name = text_at(given, "name");
  const auto result =
      result_of_request(words[1], params, name.empty() ? text_at(given, "uri") : name);
  if (!result) return fail(result.message());
  show(pretty(*result) + "\n");
  return Outcome::done;
}

Outcome Session::prompts(const Words& /*words*/) {
  show(prompt_table(catalog_.prompts(), terminal_columns()));
  return Outcome::done;
}

Outcome Session::prompt(const Words& words) {
  if (words.size() < 2) return fail("prompt needs a name; prompts lists them");
  const auto schema = catalog_.schema_of_prompt(words[1]);
  const auto given = arguments_of(rest_of(words, 2), schema);
  if (!given) return fail(given.message());
  const auto result = result_of_request("prompts/get", params_of_call(words[1], *given), words[1]);
  if (!result) return fail(result.message());
  show(prompt_messages(*result));
  return Outcome::done;
}

Outcome Session::ask(const Words& words) {
  const char* provider = std::getenv("LLM_PROVIDER");
  if (provider == nullptr || *provider == '\0') {
    return fail(
        "ask needs a model: set LLM_PROVIDER to openai, anthropic or local, and LLM_API_KEY and "
        "LLM_MODEL as gantry chat --help says");
  }
  std::string question;
  for (const auto& word : rest_of(words, 1)) question += (question.empty() ? "" : " ") + word;
  if (question.empty()) return fail("ask needs a question");
  std::fflush(stdout);
  const auto child = Child::start(
      {program_directory() + "/gantry", "chat", "--url", client_.url(), "--ask", question});
  if (!child) return fail(child.message());
  return (*child)->wait(stop_) == 0 ? Outcome::done : Outcome::failed;
}

}  // namespace gantry::cli::console
