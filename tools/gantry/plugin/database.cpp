#include "tools/gantry/plugin/database.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <gantry/json_writer.hpp>

#include "host/auth/agent.hpp"
#include "host/plugin/builtin_directory.hpp"
#include "sdk/contract/nested_answer.hpp"
#include "tools/gantry/command.hpp"

namespace gantry::cli {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::Reply;

constexpr const char* kService = "gantry.data/1";
constexpr const char* kAccessService = "gantry.access/1";

bool offers_data(const Subject& plugin) {
  const auto& offers = plugin.manifest.offers;
  return std::find(offers.begin(), offers.end(), kService) != offers.end();
}

Result<Subject> engine_in(const fs::path& directory) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".so") continue;
    auto found = read_subject(entry.path(), {});
    if (found && offers_data(*found)) return found;
  }
  return Status::not_found("no plugin in " + directory.string() + " offers " + kService +
                           "; name the directory of the built-in plugins: --builtin-plugins DIR");
}

std::string config_of(const DatabaseChoice& choice) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("database").string(choice.file);
  if (!choice.model.empty()) json.key("model").string(choice.model);
  if (choice.accept_drafts) json.key("accept_drafts").boolean(true);
  json.end_object();
  return out;
}

gantry::host::Agent admin() {
  gantry::host::Agent caller;
  caller.name = "test";
  caller.tier = gantry::host::Tier::admin;
  return caller;
}

testing::Options engine_options(const std::string& config) {
  testing::Options options;
  options.config = config;
  options.check_threads = false;  // those of the other plugin are alive beside it
  options.on_violation = [](const std::string& text) { complain(text, kFailed); };
  return options;
}

// The engine's sentence, without what the fake host says before it.
std::string own_sentence(const std::string& message) {
  const std::size_t end = message.find(": ");
  const bool has_more = message.starts_with("start() failed with status ") && end != message.npos;
  return has_more ? message.substr(end + 2) : message;
}

Answer answer_of(const Reply& reply) {
  Answer out;
  out.status = reply.status;
  out.parts = reply.content;
  if (reply.status >= 0) return out;
  out.parts = {{"error", contract::error_json(reply.error_code, reply.message, reply.details)}};
  return out;
}

Answer refused(const Status& status) {
  return {{{"error", contract::error_json("permission_denied", status.message(), "")}},
          status.code()};
}

}  // namespace

Database::Database(const Subject& subject, host::Library mapped, const std::string& config)
    : mapped_(std::move(mapped)),
      engine_(testing::Linked{mapped_.table(), subject.look.manifest}, engine_options(config)) {}

Result<std::unique_ptr<Database>> Database::open(const DatabaseChoice& choice) {
  const auto subject = engine_in(choice.plugins.empty() ? host::builtin_plugins_directory()
                                                        : fs::path(choice.plugins));
  if (!subject) return subject.status();
  auto mapped = map_subject(*subject);
  if (!mapped) return mapped.status();
  std::unique_ptr<Database> out(new Database(*subject, std::move(*mapped), config_of(choice)));
  if (Status started = out->engine_.start(); !started) {
    return Status(started.code(), own_sentence(started.message()));
  }
  return out;
}

Reply Database::ask(std::string_view request) {
  testing::CallOptions options;
  options.agent = admin().to_json();
  return engine_.call_service(kService, request, options);
}

Reply Database::ask_as_operator(std::string_view request) {
  testing::CallOptions options;
  options.agent = admin().to_json();
  options.is_of_host = true;
  return engine_.call_service(kAccessService, request, options);
}

void Database::provide_to(testing::FakeHost& host) {
  for (const std::string& service : engine_.items("service")) {
    host.provide("service", service,
                 [this, service](std::string_view arguments, std::string_view narrowing) {
                   const gantry::host::Agent caller = admin();
                   testing::CallOptions options;
                   options.agent = caller.to_json();
                   if (!narrowing.empty()) {
                     const auto narrowed = caller.narrowed(narrowing);
                     if (!narrowed) return refused(narrowed.status());
                     options.agent = (*narrowed)->to_json();
                   }
                   return answer_of(engine_.call_service(service, arguments, options));
                 });
  }
}

}  // namespace gantry::cli
