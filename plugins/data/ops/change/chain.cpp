#include "ops/change/chain.hpp"

#include <algorithm>
#include <utility>

#include "catalog/column_type.hpp"
#include "errors/query_error.hpp"
#include "journal/record.hpp"
#include "ops/change/stored_rows.hpp"

namespace gantry::data {
namespace {

using Action = ReferringKey::Action;

const NewValue* change_of(const Link& link, const std::string& target) {
  const std::string column = quote_name(target);
  const auto found =
      std::find_if(link.changes.begin(), link.changes.end(),
                   [&](const NewValue& one) { return same_name(one.column, column); });
  return found == link.changes.end() ? nullptr : &*found;
}

bool reacts(const ReferringKey& key, const Link& link) {
  if (!key.has_targets) return false;
  if (link.is_deleted) return key.on_delete != Action::none;
  return key.on_update != Action::none &&
         std::any_of(key.targets.begin(), key.targets.end(),
                     [&](const std::string& target) { return change_of(link, target) != nullptr; });
}

std::vector<const ReferringKey*> reactions(Edit& edit, const Link& link) {
  const auto keys = edit.keys_to(link.table);
  if (!keys) throw QueryError(keys.error());
  std::vector<const ReferringKey*> found;
  for (const ReferringKey& key : **keys) {
    if (reacts(key, link)) found.push_back(&key);
  }
  return found;
}

// What the targets of the key become; empty if one of the new values is not known.
std::vector<ColumnValue> new_targets(const ReferringKey& key, const Link& link) {
  std::vector<ColumnValue> values;
  for (const std::string& target : key.targets) {
    const NewValue* const change = change_of(link, target);
    if (change == nullptr) continue;
    if (!change->value) return {};
    values.push_back({quote_name(target), *change->value});
  }
  return values;
}

bool is_same_value(const std::optional<Bind>& a, const std::optional<Bind>& b) {
  return a && b ? is_same(*a, *b) : !a;
}

}  // namespace

std::vector<NewValue> new_values(const std::vector<ColumnValue>& values) {
  std::vector<NewValue> changes;
  for (const ColumnValue& one : values) changes.push_back({one.column, one.value});
  return changes;
}

void Chain::begin(Link written) {
  Known& known = known_[name_of_row(written.table, written.place)];
  known.is_written = true;
  if (auto link = news(known, std::move(written))) queue_.push_back(*std::move(link));
}

bool Chain::next() {
  if (at_ + 1 < keys_.size()) return ++at_ > 0;
  at_ = 0;
  keys_.clear();
  while (keys_.empty() && !queue_.empty()) {
    from_ = std::move(queue_.front());
    queue_.pop_front();
    keys_ = reactions(edit_, from_);
  }
  return !keys_.empty();
}

bool Chain::deletes() const { return from_.is_deleted && key().on_delete == Action::cascade; }

Fragment Chain::condition(const std::vector<std::string>& place) const {
  return refers({key().table, place, key().columns, from_.table, key().targets, from_.place,
                 new_targets(key(), from_)});
}

Chain::Found Chain::add(std::vector<ColumnValue> place) {
  Link link{key().table, std::move(place), deletes()};
  if (!link.is_deleted) link.changes = changes_of_key();
  const auto [at, is_new] = known_.try_emplace(name_of_row(link.table, link.place));
  auto fresh = news(at->second, std::move(link));
  if (!fresh) return Found::known;
  queue_.push_back(*std::move(fresh));
  if (at->second.is_written) return Found::known;
  return is_new ? Found::first : Found::more;
}

// What the link adds to what is known of its row.
std::optional<Link> Chain::news(Known& known, Link link) {
  if (known.is_deleted) return std::nullopt;
  known.is_deleted = link.is_deleted;
  if (link.is_deleted) return link;
  std::vector<NewValue> fresh;
  for (NewValue& change : link.changes) {
    const auto [at, is_new] = known.changes.try_emplace(change.column, change.value);
    if (!is_new && is_same_value(at->second, change.value)) continue;
    // Two ways give it two values: which of them stays is not known.
    if (!is_new) at->second = change.value = std::nullopt;
    fresh.push_back(std::move(change));
  }
  if (fresh.empty()) return std::nullopt;
  link.changes = std::move(fresh);
  return link;
}

std::vector<NewValue> Chain::changes_of_key() const {
  const Action action = from_.is_deleted ? key().on_delete : key().on_update;
  std::vector<NewValue> changes;
  for (std::size_t i = 0; i < key().columns.size(); ++i) {
    NewValue& one = changes.emplace_back();
    one.column = quote_name(key().columns[i]);
    const NewValue* const given = change_of(from_, key().targets[i]);
    if (action == Action::set_null) one.value = nullptr;
    if (action == Action::cascade && given != nullptr) one.value = given->value;
  }
  return changes;
}

}  // namespace gantry::data
