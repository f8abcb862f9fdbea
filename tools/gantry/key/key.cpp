// gantry key: API keys of a server's state directory. A running server takes changes over at once.
#include "tools/gantry/key/key.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "host/auth/agents/agents_file.hpp"
#include "host/auth/keys/key_changes.hpp"
#include "host/config/paths.hpp"
#include "tools/gantry/key/key_text.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

using host::KeyWish;

struct KeyOptions {
  std::string state, agents, agent, id, note, correlation, expires, overlap = "24h";
  bool json = false;
};
using KeyOptionsPtr = std::shared_ptr<KeyOptions>;

std::chrono::sys_seconds now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

// The key file; its directory is made private.
Result<std::filesystem::path> key_file_of(const KeyOptions& options) {
  std::filesystem::path state = options.state;
  if (state.empty()) {
    auto users = host::user_state_directory();
    if (!users) return users.status();
    state = std::move(*users);
  }
  if (Status good = host::make_private_directory(state); !good) return good;
  return host::key_file(state);
}

Status check_agent(const KeyOptions& options) {
  if (options.agents.empty()) return {};
  const auto file = host::read_agents_file(options.agents);
  if (!file) return file.status();
  if (file->find(options.agent)) return {};
  return Status::invalid("there is no profile '" + options.agent + "' in " + options.agents +
                         "; profiles: " + file->names());
}

// The key goes to standard output alone, so that a script can keep it.
int show(const KeyOptions& options, const host::NewKey& made) {
  if (options.json) {
    std::puts(visible_json(json_of_new(made)).c_str());
    return kDone;
  }
  std::puts(made.key.c_str());
  std::fprintf(stderr, "gantry: key %s of %s%s; it is shown this once\n", made.stored.id.c_str(),
               printable(made.stored.agent).c_str(), end_of(made.stored).c_str());
  return kDone;
}

// The only profile of a server without an agents file.
constexpr const char* kOwnProfile = "local";

// What the new key in `file` changes, or may fail at.
void warn(const KeyOptions& options, const std::filesystem::path& file) {
  const auto keys = host::read_keys(file);
  if (keys && keys->size() == 1) {
    complain(
        "it is the first key: from now on servers with this state directory refuse callers "
        "without a key",
        kDone);
  }
  if (options.agents.empty() && options.agent != kOwnProfile) {
    complain("no --agents FILE was given, so it is not checked that there is a profile '" +
                 printable(options.agent) +
                 "'; a server refuses keys of profiles that it does not have",
             kDone);
  }
}

int create(const KeyOptions& options) {
  if (Status good = check_agent(options); !good) return complain(good, kUnusable);
  KeyWish wish;
  wish.agent = options.agent;
  wish.note = options.note;
  wish.correlation_id = options.correlation;
  if (!options.expires.empty()) {
    const auto life = host::read_duration(options.expires);
    if (!life) return complain("--expires: " + life.message(), kUnusable);
    wish.life = *life;
  }
  const auto file = key_file_of(options);
  if (!file) return complain(file.status(), kUnusable);
  const auto made = host::create_key(*file, wish, now());
  if (!made) {
    return complain(made.status(),
                    made.status().code() == GANTRY_INVALID_ARGUMENT ? kUnusable : kFailed);
  }
  const int done = show(options, *made);
  warn(options, *file);
  return done;
}

int rotate(const KeyOptions& options) {
  const auto overlap = host::read_duration(options.overlap);
  if (!overlap) return complain("--overlap: " + overlap.message(), kUnusable);
  const auto file = key_file_of(options);
  if (!file) return complain(file.status(), kUnusable);
  const auto made = host::rotate_key(*file, options.id, *overlap, now());
  return made ? show(options, *made) : complain(made.status(), kFailed);
}

int revoke(const KeyOptions& options) {
  const auto file = key_file_of(options);
  if (!file) return complain(file.status(), kUnusable);
  if (Status done = host::revoke_key(*file, options.id); !done) return complain(done, kFailed);
  const std::string said =
      options.json ? object({{"revoked", options.id}}) : "key " + options.id + " is revoked";
  std::puts(said.c_str());
  return kDone;
}

int list(const KeyOptions& options) {
  const auto file = key_file_of(options);
  if (!file) return complain(file.status(), kUnusable);
  const auto keys = host::read_keys(*file);
  if (!keys) return complain(keys.status(), kFailed);
  std::fputs((options.json ? visible_json(json_of(*keys)) + "\n" : key_table(*keys, now())).c_str(),
             stdout);
  return kDone;
}

CLI::App* declare(CLI::App& key, Run& run, const char* name, const char* help,
                  const KeyOptionsPtr& options, int (*act)(const KeyOptions&)) {
  CLI::App* command = key.add_subcommand(name, help);
  command
      ->add_option("--state", options->state,
                   "The server's state directory [$XDG_STATE_HOME or ~/.local/state, gantry]")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &run, act] { run = [options, act] { return act(*options); }; });
  return command;
}

void add_id(CLI::App& command, const KeyOptionsPtr& options) {
  command.add_option("ID", options->id, "The key's public id: its 8 characters after gnt_")
      ->required();
}

}  // namespace

void declare_key(CLI::App& app, Run& run) {
  CLI::App* key = app.add_subcommand("key", "API keys of a server: made, listed, rotated, revoked");
  key->require_subcommand(1);
  const auto options = std::make_shared<KeyOptions>();
  CLI::App* made =
      declare(*key, run, "create", "Make a key that acts as a profile", options, create);
  made->add_option("AGENT", options->agent, "The profile of the agents file")->required();
  made->add_option("--expires", options->expires, "How long it is good, such as 90d or 24h [ever]")
      ->type_name("TIME");
  made->add_option("--note", options->note, "For people: where it is used")->type_name("TEXT");
  made->add_option("--correlation", options->correlation,
                   "The correlation id of all its requests; callers then choose none")
      ->type_name("ID");
  made->add_option("--agents", options->agents, "Check that this agents file has the profile")
      ->type_name("FILE");
  declare(*key, run, "list", "All keys: profile, made, last used, until when", options, list);
  CLI::App* turned =
      declare(*key, run, "rotate", "Make another key in place of one", options, rotate);
  add_id(*turned, options);
  turned->add_option("--overlap", options->overlap, "How long the old one stays good [24h]")
      ->type_name("TIME");
  add_id(*declare(*key, run, "revoke", "End a key, its sessions and streams", options, revoke),
         options);
}

}  // namespace gantry::cli
