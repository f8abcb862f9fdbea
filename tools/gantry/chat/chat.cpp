// gantry chat
#include "tools/gantry/chat/chat.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/chat/session.hpp"
#include "tools/gantry/chat/wire/provider.hpp"
#include "tools/gantry/mcp/server.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/number.hpp"

namespace gantry::cli {
namespace {

using chat::Settings;

constexpr std::uint64_t kContext = 128'000;      // tokens, of a provider's model that is not known
constexpr std::uint64_t kLocalContext = 32'768;  // of a local model that does not say it

constexpr const char* kSystem =
    "You answer questions of a person at a terminal with the tools of a server. Look at what the "
    "tools return before you answer, and answer with their figures. When a tool reports an error, "
    "change the arguments or say what is wrong. Write plain text.";

struct ChatOptions {
  ServerChoice server;
  std::string key_file, pricing, question;
  std::vector<std::string> tools;
  bool json = false, yes = false;
  std::uint64_t compact_at = 0;
};

std::string today() {
  char text[16];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

Result<chat::Prices> prices_in(const std::string& file) {
  if (file.empty()) return chat::Prices();
  std::ifstream in(file);
  if (!in) return Status::invalid("--pricing " + file + " cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto out = chat::Prices::read(text);
  return out ? std::move(out) : Status::invalid("--pricing " + file + ": " + out.message());
}

// What the server says of itself to a model; empty: nothing.
std::string instructions_of(const Client& client) {
  const auto answer = client.ask("server/discover", "{}");
  const auto result = answer ? result_of(*answer) : answer;
  return result ? text_at(parsed(*result), "instructions") : std::string();
}

std::unique_ptr<chat::Wire> wire_of(const Settings& settings, std::uint64_t context) {
  if (settings.provider == "openai") return chat::openai_wire();
  if (settings.provider == "anthropic") return chat::anthropic_wire();
  return chat::local_wire(std::clamp<std::uint64_t>(context / 4, 256, 4096));
}

// The model's context in tokens. Asks a local server for it, and for its model when none is named.
Result<std::uint64_t> context_of(Settings& settings, const chat::Meter& meter, const Stop& stop) {
  if (settings.is_local()) {
    auto local = chat::look_at_local(settings, stop);
    if (!local) return local.status();
    settings.model = local->name;
    if (local->context > 0) return local->context;
  }
  const auto price = meter.price_of(settings.model);
  if (price && price->context > 0) return price->context;
  return settings.is_local() ? kLocalContext : kContext;
}

void greet(chat::Terminal& terminal, const Settings& settings, const chat::ToolBox& tools,
           const Client& client, std::uint64_t context) {
  std::uint64_t bytes = 0;
  for (const auto& spec : tools.specs()) {
    bytes += spec.name.size() + spec.description.size() + spec.schema.size();
  }
  if (bytes / 4 > context / 2) {
    terminal.remark("the tools take about " + chat::grouped(bytes / 4) + " of the model's " +
                    chat::grouped(context) + " tokens; --tools LIST gives it fewer");
  }
  if (!terminal.is_interactive()) return;
  terminal.remark(settings.model + " of " + settings.provider + " with " +
                  std::to_string(tools.specs().size()) + " tools of " + client.url() +
                  "; /help shows the commands");
}

// The chat once its server and its settings are there.
class Program {
 public:
  Program(const ChatOptions& options, Settings settings, chat::Prices prices, Stop& stop)
      : options_(options),
        settings_(std::move(settings)),
        stop_(stop),
        terminal_(stop, options.json),
        meter_(settings_.provider, std::move(prices), today(), [this](const std::string& model) {
          terminal_.remark("no price is known for " + model +
                           ": it counts as 0; --pricing FILE tells prices");
        }) {}

  // Where no person can be asked, the server is not told of one: operators can still approve.
  int run(Client& client) {
    if (terminal_.is_interactive()) client.offer(R"({"elicitation":{"form":{}}})");
    const auto listed = client.tools();
    if (!listed) {
      return complain(explained(listed.status(), options_.server),
                      server_exit_code(listed.status()));
    }
    auto tools = chat::ToolBox::create(client, *listed, options_.tools, terminal_, options_.yes,
                                       [this](const chat::Called& called) { show(called); });
    if (!tools) return complain(tools.status(), kUnusable);
    const auto context = context_of(settings_, meter_, stop_);
    if (!context) return complain(context.status(), kUnusable);
    greet(terminal_, settings_, *tools, client, *context);
    return converse(client, *tools, *context);
  }

 private:
  int converse(const Client& client, chat::ToolBox& tools, std::uint64_t context) {
    chat::Provider provider(settings_, wire_of(settings_, context), stop_, trace_,
                            [this](const std::string& note) { terminal_.remark(note); });
    const std::string instructions = instructions_of(client);
    const std::uint64_t at = options_.compact_at > 0 ? options_.compact_at : context / 5 * 4;
    chat::Session session({provider, tools, meter_, trace_, terminal_, stop_,
                           instructions.empty() ? kSystem : kSystem + ("\n\n" + instructions), at});
    return options_.question.empty() ? session.converse()
                                     : session.answer_once(options_.question, options_.json);
  }

  void show(const chat::Called& called) {
    const std::size_t size = called.result.text.size();
    trace_.call(called.name, called.ms, size, called.result.is_error);
    terminal_.remark("  " + called.name + "  " + std::to_string(called.ms) + " ms  " +
                     chat::size_text(size) + (called.result.is_error ? "  error" : ""));
  }

  const ChatOptions& options_;
  Settings settings_;
  Stop& stop_;
  chat::Terminal terminal_;
  chat::Meter meter_;
  chat::Trace trace_;
};

int run_chat(const ChatOptions& options) {
  auto settings = chat::settings_from_environment(options.key_file);
  if (!settings) return complain(settings.status(), kUnusable);
  auto prices = prices_in(options.pricing);
  if (!prices) return complain(prices.status(), kUnusable);
  Stop stop;
  auto server = reach_server(options.server, stop);
  if (!server) return complain(server.status(), server_exit_code(server.status()));
  Program program(options, std::move(*settings), std::move(*prices), stop);
  return program.run(server->client);
}

void declare_options(CLI::App& command, ChatOptions& options) {
  auto* ask = command.add_option("--ask", options.question, "Answer one question and end");
  ask->type_name("QUESTION")
      ->check(CLI::Validator(
          [](const std::string& question) {
            const bool is_blank = question.find_first_not_of(" \t\r\n") == question.npos;
            return is_blank ? std::string("the question is empty") : std::string();
          },
          ""));
  command
      .add_flag("--json", options.json,
                "The answer as JSON: {answer, tool_calls, usage, cost_usd, rounds, model}")
      ->needs(ask);
  command.add_flag("--yes", options.yes, "Run tools that may change or remove data without asking");
  command
      .add_option("--tools", options.tools, "The tools that the model gets, separated by commas")
      ->type_name("LIST")
      ->delimiter(',')
      ->expected(1)
      ->take_all();
  command
      .add_option("--compact-at", options.compact_at,
                  "Compact after a request of more tokens [four fifths of the model's context]")
      ->type_name("N")
      ->check(whole_number(1));
  command.add_option("--pricing", options.pricing, "JSON file of prices, before the built-in ones")
      ->type_name("FILE");
  command
      .add_option("--key-file", options.key_file,
                  "File with the provider's key in its first line [$LLM_API_KEY]")
      ->type_name("FILE");
}

}  // namespace

void declare_chat(CLI::App& app, Run& run) {
  auto options = std::make_shared<ChatOptions>();
  CLI::App* command =
      app.add_subcommand("chat", "Talk with a language model that uses the tools of a server");
  declare_options(*command, *options);
  declare_server(*command, options->server);
  declare_agent_choice(*command, options->server);
  command->footer(
      "The environment names the model: LLM_PROVIDER is openai, anthropic or local (a server like "
      "OpenAI's, as Ollama, llama.cpp and vLLM are), LLM_MODEL its name, LLM_API_KEY the key, "
      "LLM_BASE_URL the server [the provider's; of local http://127.0.0.1:11434/v1].\n"
      "Ctrl-C ends the running question, Ctrl-D or /exit the chat; /help shows its commands.\n"
      "With --json a failure is {\"error\":{code,message}}, the last line of standard error. "
      "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, or no server or model to ask.\n\n"
      "Try:  gantry chat --db shop.db\n"
      "      gantry chat --ask \"Which region has most countries?\" --json --db demo.db");
  command->callback([options, &run] { run = [options] { return run_chat(*options); }; });
}

}  // namespace gantry::cli
