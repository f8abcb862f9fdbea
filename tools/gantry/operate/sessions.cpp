// gantry sessions, gantry subscriptions
#include <cstdio>
#include <memory>
#include <vector>

#include <rapidjson/document.h>
#include <CLI/CLI.hpp>

#include "tools/gantry/host/host.hpp"
#include "tools/gantry/host/show.hpp"
#include "tools/gantry/operate/operate.hpp"
#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/listing.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli {
namespace {

struct SessionOptions {
  HostChoice host;
  std::string end;
  bool json = false;
};

// "3 s", "12 min", "5 h", "2 d".
std::string age_at(const rapidjson::Value& object, const char* name) {
  const std::uint64_t seconds = number_at(object, name);
  if (seconds < 120) return std::to_string(seconds) + " s";
  if (seconds < 7200) return std::to_string(seconds / 60) + " min";
  if (seconds < 172800) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " d";
}

using Table = std::string (*)(const rapidjson::Value&, std::size_t);

int show_list(const SessionOptions& options, const char* method, Table table_of) {
  return show_answer(
      options.host, {method, "{}", options.json},
      [table_of](const rapidjson::Value& answer) { return table_of(answer, terminal_columns()); });
}

int end_session(const SessionOptions& options) {
  auto host = find_host(options.host);
  if (!host) return complain(host.status(), exit_code(host.status()));
  const auto answer = (*host)->ask("session.end", object({{"id", options.end}}));
  if (!answer) return complain(answer.status(), exit_code(answer.status()));
  const auto document = parsed(*answer);
  std::fputs((options.json ? pretty(document) + "\n"
                           : "ended; " + std::to_string(number_at(document, "cancelled")) +
                                 " calls cancelled\n")
                 .c_str(),
             stdout);
  return kDone;
}

}  // namespace

std::string session_table(const rapidjson::Value& answer, std::size_t width) {
  const Listing listing{"sessions",
                        "there are no sessions",
                        {"ID", "PRINCIPAL", "REVISION", "AGE", "IDLE", "CALLS", "STREAMS"},
                        [](const rapidjson::Value& one) -> std::vector<std::string> {
                          return {text_at(one, "id"),
                                  text_at(one, "principal"),
                                  text_at(one, "revision"),
                                  age_at(one, "age_s"),
                                  age_at(one, "idle_s"),
                                  std::to_string(number_at(one, "running")),
                                  std::to_string(number_at(one, "streams"))};
                        }};
  return listing_table(answer, listing, width);
}

std::string subscription_table(const rapidjson::Value& answer, std::size_t width) {
  const Listing listing{"subscriptions",
                        "there are no subscriptions",
                        {"URI", "AGENT", "PRINCIPAL", "KIND", "SESSION", "AGE"},
                        [](const rapidjson::Value& one) -> std::vector<std::string> {
                          return {text_at(one, "uri"),       text_at(one, "agent"),
                                  text_at(one, "principal"), text_at(one, "kind"),
                                  text_at(one, "session"),   age_at(one, "age_s")};
                        }};
  return listing_table(answer, listing, width);
}

void declare_sessions(CLI::App& app, Run& run) {
  auto options = std::make_shared<SessionOptions>();
  CLI::App* command =
      app.add_subcommand("sessions", "The sessions of clients of 2024-11-05 to 2025-11-25");
  command->add_option("--end", options->end, "End the session, which cancels its calls")
      ->type_name("ID");
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] {
    run = [options] {
      return options->end.empty() ? show_list(*options, "session.list", session_table)
                                  : end_session(*options);
    };
  });
}

void declare_subscriptions(CLI::App& app, Run& run) {
  auto options = std::make_shared<SessionOptions>();
  CLI::App* command =
      app.add_subcommand("subscriptions", "The resources that clients hear of, and which clients");
  command->add_flag("--json", options->json, "As JSON");
  declare_host(*command, options->host);
  command->callback([options, &run] {
    run = [options] { return show_list(*options, "subscription.list", subscription_table); };
  });
}

}  // namespace gantry::cli
