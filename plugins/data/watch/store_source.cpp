#include "watch/store_source.hpp"

#include "resources/resources.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kLookMs = 200, kReadMs = 500;

// FNV-1a, 64 bits. The estimated row count of a schema is left out because it changes with the
// rows.
std::uint64_t fingerprint_of_schema(std::string_view text) {
  text = text.substr(0, text.rfind(R"("estimated_rows":)"));
  std::uint64_t fingerprint = 0xcbf29ce484222325u;
  for (const char c : text)
    fingerprint = (fingerprint ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fingerprint;
}

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
  if (what.part != ResourcePart::schema) return {Content::State::unknowable, 0};
  const Caller watcher{budget(kReadMs), kDefaultAnswerBytes, Rules::of_engine()};
  const auto text = read_resource(service_, watcher, what.class_name, what.part);
  if (text) return {Content::State::known, fingerprint_of_schema(*text)};
  const std::string& code = text.error().code;
  if (code == error_code::kTimeout) return {Content::State::unknowable, 0};
  const bool is_passing = code == error_code::kStoreError || code == error_code::kCancelled ||
                          code == error_code::kInternalError;
  if (is_passing) return {Content::State::later, 0};
  return {Content::State::known, fingerprint_of_schema(code)};
}

}  // namespace gantry::data
