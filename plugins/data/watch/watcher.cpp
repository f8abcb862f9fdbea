#include "watch/watcher.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

bool has_class(const DatabaseState& state, const std::string& name) {
  return std::binary_search(state.classes.begin(), state.classes.end(), name);
}

}  // namespace

Status Watcher::look() {
  // The subscriptions are read before the state: a commit after a subscription is seen by the next
  // look.
  const std::vector<std::string> uris = audience_.watched();
  has_audience_ = !uris.empty();
  auto state = source_.look();
  if (!state) return state.status();
  const bool moved = !last_ || last_->version != state->version;
  Contents contents;
  forget_unwatched(uris);
  compare_known(*state, moved, contents);
  add_subscriptions(uris, *state, moved, contents);
  if (last_ && last_->classes != state->classes) audience_.list_changed();
  last_ = std::move(*state);
  return Status::ok();
}

void Watcher::forget_unwatched(const std::vector<std::string>& uris) {
  std::erase_if(watched_, [&](const auto& entry) {
    return std::find(uris.begin(), uris.end(), entry.first) == uris.end();
  });
}

void Watcher::compare_known(const DatabaseState& state, bool moved, Contents& contents) {
  for (auto entry = watched_.begin(); entry != watched_.end();) {
    Watched& known = entry->second;
    known.is_due = known.is_due || moved;
    const bool is_there = !known.is_due || compare(entry->first, known, state, contents);
    entry = is_there ? std::next(entry) : watched_.erase(entry);
  }
}

// Returns false when the class of the resource no longer exists.
bool Watcher::compare(const std::string& uri, Watched& known, const DatabaseState& state,
                      Contents& contents) {
  if (!has_class(state, known.what.class_name)) {
    audience_.deleted(uri);
    return false;
  }
  const Content now = content_of(known.what, contents);
  if (now.state == Content::State::later) return true;
  known.is_due = false;
  const bool is_known = now.state == Content::State::known;
  if (!is_known || now.fingerprint != known.fingerprint) audience_.updated(uri);
  known.fingerprint = is_known ? std::optional(now.fingerprint) : std::nullopt;
  return true;
}

// Adds subscriptions made since the last look. The subscriber read its resource before that, so it
// is notified if a commit happened before the content was read here.
void Watcher::add_subscriptions(const std::vector<std::string>& uris, const DatabaseState& state,
                                bool moved, Contents& contents) {
  std::vector<std::string> fresh;
  for (const std::string& uri : uris) {
    auto what = parse_resource_uri(uri);
    if (!what || watched_.contains(uri) || !has_class(state, what->class_name)) continue;
    const Content now = content_of(*what, contents);
    const bool is_known = now.state == Content::State::known;
    const bool is_due = now.state == Content::State::later;
    fresh.push_back(uri);
    watched_.emplace(
        uri, Watched{std::move(*what), is_known ? std::optional(now.fingerprint) : std::nullopt,
                     is_due});
  }
  if (fresh.empty()) return;
  if (!moved) {
    const auto after = source_.look();
    moved = !after || after->version != state.version;
  }
  if (!moved) return;
  for (const std::string& uri : fresh) audience_.updated(uri);
}

// Two spellings of a URI share one content.
Content Watcher::content_of(const ResourceUri& what, Contents& contents) {
  const auto [entry, is_new] = contents.try_emplace(resource_uri(what.class_name, what.part));
  if (is_new) entry->second = source_.content_of(what);
  return entry->second;
}

}  // namespace gantry::data
