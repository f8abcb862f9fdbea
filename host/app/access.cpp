#include "host/app/access.hpp"

#include <algorithm>
#include <utility>

#include "host/auth/keys/key_changes.hpp"

namespace gantry::host {
namespace {

constexpr std::string_view kLocal = "local";

PrincipalPtr local_principal_of(const Agent& agent) {
  return std::make_shared<const Principal>(Principal{share(agent), std::string(kLocal), "none"});
}

// Without a file there is the one profile `local`.
AgentsFile default_agents() {
  AgentsFile file;
  file.agents.emplace(kLocal, share(Agent()));
  return file;
}

AgentsByName agents_of(const CredentialTable& table) {
  AgentsByName out;
  for (const PrincipalPtr& principal : table.principals())
    out.emplace(principal->name, principal->agent);
  return out;
}

PrincipalNames gone(const CredentialTable& before, const CredentialTable& after) {
  PrincipalNames out = before.names();
  for (const std::string& name : after.names()) out.erase(name);
  return out;
}

}  // namespace

AgentAccess::AgentAccess(AccessOptions options, Log& log)
    : options_(std::move(options)), log_(log) {
  auth_.use_tokens(tokens_);
}

Result<std::unique_ptr<AgentAccess>> AgentAccess::open(AccessOptions options, Log& log) {
  std::unique_ptr<AgentAccess> access(new AgentAccess(std::move(options), log));
  PrincipalNames none;
  if (Status status = access->load(none); !status) return status;
  const auto& wanted = access->options_;
  const std::string name = wanted.agent.empty() ? std::string(kLocal) : wanted.agent;
  const AgentPtr agent = access->file_->find(name);
  if (agent) {
    access->stdio_ =
        wanted.agents.empty() ? local_principal_of(*agent) : make_principal(*agent, name, "none");
  } else if (!wanted.agent.empty()) {
    return Status::invalid("--agent " + name +
                           ": there is no such profile; profiles: " + access->file_->names());
  } else if (wanted.stdio) {
    return Status::invalid("--stdio with --agents needs --agent NAME; profiles: " +
                           access->file_->names());
  }
  return access;
}

std::shared_ptr<const AgentsFile> AgentAccess::file() const {
  const std::lock_guard lock(mutex_);
  return file_;
}

Status AgentAccess::check_names(CheckNames check) {
  const std::lock_guard lock(mutex_);
  check_ = std::move(check);
  return check_(*file_);
}

void AgentAccess::watch(Changed changed) {
  {
    const std::lock_guard lock(mutex_);
    changed_ = std::move(changed);
  }
  if (options_.agents.empty() && options_.state.empty()) return;
  watcher_ = std::make_unique<Watcher>([this] { reread(); });
  {
    const std::lock_guard lock(mutex_);
    following_ = watcher_.get();
  }
  follow();
}

void AgentAccess::stop() {
  {
    const std::lock_guard lock(mutex_);
    following_ = nullptr;
    changed_ = nullptr;
  }
  watcher_.reset();
  const std::lock_guard order(reread_);  // one that the timer has begun
}

// Watches the files of now; those of issuers' keys may be others than before.
void AgentAccess::follow() {
  std::vector<std::filesystem::path> paths;
  if (!options_.agents.empty()) paths.push_back(options_.agents);
  if (!options_.state.empty()) paths.push_back(key_file(options_.state));
  for (const std::string& file : tokens_.key_files()) paths.emplace_back(file);
  const std::lock_guard lock(mutex_);
  if (following_ == nullptr || paths == watched_) return;
  watched_ = paths;
  following_->watch(std::move(paths));
}

// Replaces the credentials by those of the files of now.
Status AgentAccess::load(PrincipalNames& withdrawn) {
  const std::lock_guard lock(mutex_);
  auto keys = options_.state.empty() ? Result<StoredKeys>(StoredKeys())
                                     : read_keys(key_file(options_.state));
  if (!keys) return keys.status();
  // Last: what it withdraws is not to be lost by a later fault.
  if (Status status = load_agents(withdrawn); !status) return status;
  auth_.replace(table_of(*file_, *keys));
  ring_at_next_end();
  return {};
}

// A key that ends takes with it what it has open, and not only at the next tick.
void AgentAccess::ring_at_next_end() {
  ends_.drop(std::exchange(next_ring_, 0));
  if (!next_end_) return;
  const auto left = *next_end_ - std::chrono::system_clock::now();
  const auto when = std::chrono::steady_clock::now() +
                    std::chrono::duration_cast<std::chrono::steady_clock::duration>(left);
  next_ring_ = ends_.set(when, [this] { reread(); });
}

// Called with the mutex. A file with the same text is not read again: its faults were logged.
Status AgentAccess::load_agents(PrincipalNames& withdrawn) {
  if (options_.agents.empty()) {
    if (!file_) file_ = std::make_shared<const AgentsFile>(default_agents());
    return {};
  }
  auto text = agents_text(options_.agents);
  if (!text) return text.status();
  if (file_ && *text == text_) return {};
  auto read = read_agents(*text, options_.agents);
  if (!read) return read.status();
  if (Status good = check_admins(*read); !good) return good;
  if (check_) {
    if (Status good = check_(*read); !good) return good;
  }
  return take(std::move(*read), std::move(*text), withdrawn);
}

Status AgentAccess::take(AgentsFile file, std::string text, PrincipalNames& withdrawn) {
  auto gone = tokens_.use(file.issuers, file.roles);
  if (!gone) return Status::invalid(options_.agents.string() + ": jwt: " + gone.message());
  withdrawn = std::move(*gone);
  file_ = std::make_shared<const AgentsFile>(std::move(file));
  text_ = std::move(text);
  return {};
}

Status AgentAccess::check_admins(const AgentsFile& file) const {
  if (!options_.reachable || options_.remote_admin) return {};
  for (const auto& [name, agent] : file.agents) {
    if (agent->tier != Tier::admin || agent->remote_admin) continue;
    return Status::denied(options_.agents.string() + ": agents/" + name +
                          ": an admin could come from other machines; listen on 127.0.0.1 without "
                          "http.allowed_hosts and http.public_url, or say "
                          "\"remote_admin\": true in this profile");
  }
  return {};
}

// Callers without a credential are let in only where no credential exists and only from this
// machine: as `local` without an agents file, as the profile of --agent with one. As that profile
// acts GANTRY_API_KEY too, if it is set.
CredentialTable AgentAccess::table_of(const AgentsFile& file, const StoredKeys& keys) {
  CredentialTable table(nullptr);
  bool open = options_.loopback && keys.empty() && file.issuers.empty();
  for (const EnvironmentKey& each : options_.environment) {
    const AgentPtr chosen =
        each.others == Authenticator::Others::refused && !options_.agents.empty()
            ? file.find(options_.agent)
            : nullptr;
    table.add_key(each.key, chosen ? *chosen : each.agent);
    open = open && each.others == Authenticator::Others::local;
  }
  next_end_.reset();
  auto before = std::exchange(known_, {});
  for (const StoredKey& key : keys) {
    if (auto known = before.extract(key.id); !known.empty()) known_.insert(std::move(known));
    add_stored(table, file, key);
  }
  if (!options_.agents.empty()) {
    table.set_configured();
    const AgentPtr agent = file.find(options_.agent);
    if (open && agent) table.set_others(make_principal(*agent, options_.agent, "none"));
  } else if (open) {
    table.set_others(local_principal_of(*file.find(kLocal)));
  }
  return table;
}

void AgentAccess::add_stored(CredentialTable& table, const AgentsFile& file, const StoredKey& key) {
  KnownKey& known = known_[key.id];
  const AgentPtr agent = file.find(key.agent);
  if (!agent) {
    log_.write(Level::warn, "a key acts as no profile, so it is refused",
               {{"key", key.id}, {"agent", key.agent}});
  }
  const bool expired = key.expires && *key.expires <= Authenticator::system_now();
  if (key.expires && !expired) next_end_ = std::min(next_end_.value_or(*key.expires), *key.expires);
  const bool is_same = known.principal && known.principal->correlation_id == key.correlation_id;
  if (std::exchange(known.profile, agent) != agent || !is_same) {
    known.principal =
        agent ? make_principal(agent, key.agent + "/" + key.id, "api_key", key.correlation_id)
              : nullptr;
  }
  table.add({key.id, key.sha256, expired ? nullptr : known.principal, key.expires, known.use});
}

void AgentAccess::reread() {
  const std::lock_guard order(reread_);
  const auto before = auth_.table();
  PrincipalNames withdrawn;
  tokens_.reload_key_files();
  if (const Status status = load(withdrawn); !status) return refuse(status.message());
  follow();
  const auto after = auth_.table();
  Changed changed;
  {
    const std::lock_guard lock(mutex_);
    reported_.clear();
    changed = changed_;
  }
  withdrawn.merge(gone(*before, *after));
  if (!withdrawn.empty()) {
    log_.write(Level::info, "credentials withdrawn", {{"principals", withdrawn.size()}});
  }
  if (changed) changed({std::move(withdrawn), agents_of(*after), file()->agents});
}

// Once for each fault, however often the file is touched.
void AgentAccess::refuse(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (reason == reported_) return;
  reported_ = reason;
  log_.write(Level::error, "the agents or keys are not taken over; the old ones stay",
             {{"reason", reason}});
}

void AgentAccess::tick() {
  write_uses();
  std::unique_lock lock(mutex_);
  const bool ended = next_end_ && *next_end_ <= Authenticator::system_now();
  lock.unlock();
  if (ended) reread();
}

void AgentAccess::write_uses() {
  std::map<std::string, std::int64_t> used;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, known] : known_) {
      if (const auto minute = known.use->exchange(0); minute != 0) used.emplace(id, minute);
    }
  }
  if (used.empty() || options_.state.empty()) return;
  const Status status = change_keys(key_file(options_.state), [&](StoredKeys& keys) {
    for (StoredKey& key : keys) {
      const auto found = used.find(key.id);
      if (found == used.end()) continue;
      key.last_used = std::chrono::sys_seconds(std::chrono::minutes(found->second));
      if (key.replaced_by.empty()) continue;
      log_.write(Level::warn, "a rotated key is still used",
                 {{"key", key.id}, {"agent", key.agent}, {"replaced_by", key.replaced_by}});
    }
    return Status();
  });
  if (!status) log_.write(Level::warn, status.message());
}

}  // namespace gantry::host
