#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "host/loader/batch.hpp"
#include "host/loader/seen_files.hpp"
#include "host/plugin/claims.hpp"

namespace gantry::host {
namespace {

bool is_among(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Of all but `without`.
std::set<std::string> offers_of(const Batch& batch, const Candidate* without = nullptr) {
  std::set<std::string> offers;
  for (const Candidate& candidate : batch.candidates) {
    if (&candidate == without) continue;
    const auto& own = candidate.origin.manifest.offers;
    offers.insert(own.begin(), own.end());
  }
  return offers;
}

// The same service in another revision, when there is one: the most likely mistake.
std::optional<std::string> other_revision(const std::string& need, const HostServices& services,
                                          const std::set<std::string>& offers) {
  constexpr int kHighest = 9;
  const std::string stem = need.substr(0, need.find('/') + 1);
  for (int revision = kHighest; revision > 0; --revision) {
    const std::string id = stem + std::to_string(revision);
    if (services.service(id) || offers.contains(id)) return id;
  }
  return std::nullopt;
}

std::optional<std::string> missing_need(const Candidate& candidate, const HostServices& services,
                                        const std::set<std::string>& offers) {
  for (const std::string& need : candidate.origin.manifest.needs) {
    if (services.service(need) || offers.contains(need)) continue;
    const auto other = other_revision(need, services, offers);
    if (other) return "it needs " + need + ", here is " + *other + "; use a plugin built for that";
    return "it needs " + need +
           ", which this host and no loaded plugin offers; load a plugin that offers it";
  }
  return std::nullopt;
}

bool provides(const Candidate& provider, const Candidate& user) {
  const auto& needs = user.origin.plugin_needs;
  return std::any_of(needs.begin(), needs.end(), [&](const std::string& need) {
    return is_among(provider.origin.manifest.offers, need);
  });
}

// The index of a candidate in `open` whose providers are all placed.
std::optional<std::size_t> next_ready(const std::vector<Candidate>& open) {
  for (std::size_t user = 0; user < open.size(); ++user) {
    const bool waits = std::any_of(open.begin(), open.end(), [&](const Candidate& provider) {
      return provides(provider, open[user]);
    });
    if (!waits) return user;
  }
  return std::nullopt;
}

// A service that `dropper` offered until now and offers no more, with the plugin that goes on to
// need it; empty when there is none.
std::string dropped_service(const Batch& batch, const Candidate& dropper,
                            const HostServices& services) {
  const auto& after = dropper.origin.manifest.offers;
  const std::set<std::string> others = offers_of(batch, &dropper);
  for (const std::string& id : dropper.serving->manifest().offers) {
    if (is_among(after, id) || others.contains(id) || services.service(id)) continue;
    for (const Candidate& user : batch.candidates) {
      if (&user == &dropper || !user.serving || !is_among(user.serving->manifest().needs, id))
        continue;
      if (!is_among(user.origin.manifest.needs, id)) continue;
      return "it no longer offers " + id + ", which the plugin \"" + user.origin.manifest.name +
             "\" needs; replace both at once, or keep offering it";
    }
  }
  return {};
}

bool replaces(const Candidate& candidate) { return candidate.serving && !candidate.stays; }

bool is_there(const Candidate& candidate) { return candidate.stays || candidate.made; }

// Each candidate in `open` needs another one in it, so following the providers finds a cycle.
std::vector<std::size_t> find_circle(const std::vector<Candidate>& open) {
  std::vector<std::size_t> path;
  std::size_t at = 0;
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    for (std::size_t provider = 0; provider < open.size(); ++provider) {
      if (!provides(open[provider], open[at])) continue;
      at = provider;
      break;
    }
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  return path;
}

// Refuses the newcomers of one circle of needs. Plugins that stay are not refused; if all of the
// circle stay, the needs of one are dropped.
void refuse_circle(Batch& batch) {
  std::vector<std::size_t> circle = find_circle(batch.candidates);
  std::string names;
  for (std::size_t index : circle) {
    names += batch.candidates[index].origin.manifest.name + " -> ";
  }
  names += batch.candidates[circle.front()].origin.manifest.name;
  std::sort(circle.rbegin(), circle.rend());
  bool refused = false;
  for (std::size_t index : circle) {
    if (batch.candidates[index].stays) continue;
    refused = true;
    batch.refuse(index, "plugins need each other's services in a circle: " + names +
                            "; remove one of these needs");
  }
  if (!refused) batch.candidates[circle.front()].origin.plugin_needs.clear();
}

// One round over the names. False when a refused newcomer's place went back to the generation that
// served before: its names count, so another round is needed.
bool claim_names(Batch& batch) {
  Claims claims;
  for (std::size_t i = 0; i < batch.candidates.size();) {
    const Candidate& candidate = batch.candidates[i];
    const Origin& origin = candidate.origin;
    const Claimant claimant{origin.manifest.name, origin.builtin, origin.settings.may_override};
    const auto problem = claims.claim(claimant, origin.manifest.items);
    if (!problem || candidate.stays) {
      ++i;
      continue;
    }
    const bool falls_back = replaces(candidate);
    batch.refuse(i, *problem);
    if (falls_back) return false;
  }
  return true;
}

}  // namespace

void reject_duplicates(Batch& batch) {
  std::map<std::string, std::string> first;
  for (std::size_t i = 0; i < batch.candidates.size();) {
    const Origin& origin = batch.candidates[i].origin;
    const auto [owner, fresh] = first.emplace(origin.manifest.name, origin.file.string());
    if (fresh) {
      ++i;
      continue;
    }
    batch.refuse(i, "the plugin \"" + origin.manifest.name + "\" is loaded from " + owner->second +
                        " already; remove one of the two files");
  }
}

void reject_dropped_services(Batch& batch, const HostServices& services) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
      if (!replaces(batch.candidates[i])) continue;
      std::string problem = dropped_service(batch, batch.candidates[i], services);
      if (problem.empty()) continue;
      batch.refuse(i, std::move(problem));
      changed = true;
    }
  }
}

// A refusal may remove a service that another plugin needs, so this repeats until nothing changes.
void resolve_needs(Batch& batch, const HostServices& services) {
  for (bool changed = true; changed;) {
    changed = false;
    const std::set<std::string> offers = offers_of(batch);
    for (std::size_t i = 0; i < batch.candidates.size();) {
      if (batch.candidates[i].stays) {
        ++i;
        continue;
      }
      const auto problem = missing_need(batch.candidates[i], services, offers);
      if (!problem) {
        ++i;
        continue;
      }
      batch.refuse(i, *problem);
      changed = true;
    }
  }
  for (Candidate& candidate : batch.candidates) {
    candidate.origin.plugin_needs.clear();
    for (const std::string& need : candidate.origin.manifest.needs) {
      if (!services.service(need)) candidate.origin.plugin_needs.push_back(need);
    }
  }
}

// The first claim of a name counts. The order: built-in plugins that serve, other plugins that
// serve, built-in newcomers, other newcomers.
void reject_taken_names(Batch& batch) {
  const auto rank = [](const Candidate& c) {
    if (!c.serving) return c.origin.builtin ? 2 : 3;
    return c.origin.builtin ? 0 : 1;
  };
  do {
    std::stable_sort(batch.candidates.begin(), batch.candidates.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  } while (!claim_names(batch));
}

void order_by_needs(Batch& batch) {
  std::vector<Candidate> placed;
  while (!batch.candidates.empty()) {
    const auto ready = next_ready(batch.candidates);
    if (!ready) {
      refuse_circle(batch);
      continue;
    }
    placed.push_back(std::move(batch.candidates[*ready]));
    batch.candidates.erase(batch.candidates.begin() + static_cast<std::ptrdiff_t>(*ready));
  }
  batch.candidates = std::move(placed);
}

void plan(Batch& batch, const HostServices& services) {
  for (std::size_t before = batch.refusals() + 1; before != batch.refusals();) {
    before = batch.refusals();
    reject_dropped_services(batch, services);
    resolve_needs(batch, services);
    reject_taken_names(batch);
    order_by_needs(batch);
  }
}

std::vector<PlanConflict> find_conflicts(const Batch& batch, const HostServices& services) {
  std::vector<PlanConflict> conflicts;
  std::set<std::string> offers;
  for (const Candidate& candidate : batch.candidates) {
    if (!is_there(candidate)) continue;
    const auto& own = candidate.origin.manifest.offers;
    offers.insert(own.begin(), own.end());
  }
  for (std::size_t i = 0; i < batch.candidates.size(); ++i) {
    const Candidate& candidate = batch.candidates[i];
    if (!candidate.made) continue;
    auto problem = missing_need(candidate, services, offers);
    if (!problem && candidate.serving) {
      std::string dropped = dropped_service(batch, candidate, services);
      if (!dropped.empty()) problem = std::move(dropped);
    }
    if (problem) conflicts.push_back({i, *problem});
  }
  return conflicts;
}

}  // namespace gantry::host
