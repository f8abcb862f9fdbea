#include "watch/watcher.hpp"

#include <algorithm>

namespace gantry::data {
namespace {

bool has_class(const Sight& sight, const std::string& name) {
  return std::binary_search(sight.classes.begin(), sight.classes.end(), name);
}

}  // namespace

Status Watcher::look() {
  // In this order: whoever subscribes after this line has no commit missed before the next look.
  const std::vector<std::string> uris = audience_.watched();
  has_audience_ = !uris.empty();
  auto sight = source_.look();
  if (!sight) return sight.status();
  const bool moved = !last_ || last_->version != sight->version;
  Prints prints;
  forget_unwatched(uris);
  if (moved) compare_known(*sight, prints);
  welcome(uris, *sight, moved, prints);
  if (last_ && last_->classes != sight->classes) audience_.list_changed();
  last_ = std::move(*sight);
  return Status::ok();
}

void Watcher::forget_unwatched(const std::vector<std::string>& uris) {
  std::erase_if(watched_, [&](const auto& entry) {
    return std::find(uris.begin(), uris.end(), entry.first) == uris.end();
  });
}

void Watcher::compare_known(const Sight& sight, Prints& prints) {
  for (auto entry = watched_.begin(); entry != watched_.end();) {
    const bool is_there = compare(entry->first, entry->second, sight, prints);
    entry = is_there ? std::next(entry) : watched_.erase(entry);
  }
}

// False when its class is gone.
bool Watcher::compare(const std::string& uri, Watched& known, const Sight& sight, Prints& prints) {
  if (!has_class(sight, known.what.class_name)) {
    audience_.deleted(uri);
    return false;
  }
  const auto print = print_of(known.what, prints);
  if (!print || print != known.print) audience_.updated(uri);
  known.print = print;
  return true;
}

// What was subscribed to since the last look. Only if nothing at all was committed from then until
// its print is taken is that print surely what the subscriber knows.
void Watcher::welcome(const std::vector<std::string>& uris, const Sight& sight, bool moved,
                      Prints& prints) {
  std::vector<std::string> fresh;
  for (const std::string& uri : uris) {
    auto what = parse_resource_uri(uri);
    if (!what || watched_.contains(uri) || !has_class(sight, what->class_name)) continue;
    const auto print = print_of(*what, prints);
    watched_.emplace(uri, Watched{std::move(*what), print});
    fresh.push_back(uri);
  }
  if (fresh.empty()) return;
  if (!moved) {
    const auto after = source_.look();
    moved = !after || after->version != sight.version;
  }
  if (!moved) return;
  for (const std::string& uri : fresh) audience_.updated(uri);
}

// Count and samples of a class share one.
std::optional<std::uint64_t> Watcher::print_of(const ResourceUri& what, Prints& prints) {
  const bool schema = what.part == ResourcePart::schema;
  const auto [entry, is_new] = prints.try_emplace((schema ? "s" : "r") + what.class_name);
  if (is_new) {
    entry->second = schema ? source_.schema_of(what.class_name) : source_.rows_of(what.class_name);
  }
  return entry->second;
}

}  // namespace gantry::data
