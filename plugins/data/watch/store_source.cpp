#include "watch/store_source.hpp"

#include "resources/resources.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kLookMs = 200;

}  // namespace

Budget StoreSource::budget(std::int64_t milliseconds) const {
  Budget budget = Budget::for_ms(milliseconds);
  budget.cancelled = [&stopping = stopping_] { return stopping.load(); };
  return budget;
}

Result<DatabaseState> StoreSource::look() {
  auto now = service_.store().glance(budget(kLookMs));
  if (!now) return now.status();
  DatabaseState state{now->version, {}};
  const Scope scope(now->catalog, Rules::of_engine());
  for (const ClassView* cls : scope.classes()) state.classes.push_back(cls->name);
  return state;
}

// A permanent error, such as an answer that is too large, is a content too: its code is
// fingerprinted.
Content StoreSource::content_of(const ResourceUri& what) {
  const std::string uri = resource_uri(what.class_name, what.part);
  const auto slow = slow_.find(uri);
  if (slow != slow_.end() && Clock::now() < slow->second) return {Content::State::unknowable, 0};
  const Caller watcher{budget(effort_.milliseconds), kDefaultAnswerBytes, Rules::of_engine()};
  const auto text = read_resource(service_, watcher, what.class_name, what.part);
  if (text) return {Content::State::known, content_fingerprint(what.part, *text)};
  const std::string& code = text.error().code;
  if (code == error_code::kTimeout) {
    slow_[uri] = Clock::now() + effort_.pause;
    return {Content::State::unknowable, 0};
  }
  const bool is_passing = code == error_code::kStoreError || code == error_code::kCancelled ||
                          code == error_code::kInternalError;
  if (is_passing) return {Content::State::later, 0};
  return {Content::State::known, content_fingerprint(what.part, code)};
}

std::optional<std::uint64_t> StoreSource::read_lately(const ResourceUri& what) {
  return notes_.of(what);
}

}  // namespace gantry::data
