#include "host/loader/batch.hpp"

#include <utility>

#include "host/loader/seen_files.hpp"

namespace gantry::host {

PluginState refused_state(const Origin& origin, std::string reason) {
  PluginState state;
  state.name = origin.manifest.name;
  state.version = origin.manifest.version;
  state.file = origin.file.string();
  state.sha256 = origin.sha256;
  state.state = "refused";
  state.builtin = origin.builtin;
  state.reason = std::move(reason);
  return state;
}

void Batch::refuse(std::size_t index, std::string reason) {
  Candidate& candidate = candidates[index];
  PluginState state = refused_state(candidate.origin, std::move(reason));
  candidate.made.reset();
  if (candidate.serving) {
    failed.push_back(std::move(state));
    candidate.origin = origin_of(*candidate.serving);
    candidate.seen = nullptr;
    candidate.stays = true;
    return;
  }
  refused.push_back(std::move(state));
  candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace gantry::host
