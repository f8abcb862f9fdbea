// host/rpc/message/era.hpp: the protocol's revisions and the features of each.
//
// Revisions are dates and compare as text. Pure functions; any thread.
#pragma once

#include <array>
#include <string_view>

namespace gantry::host::rpc {

// legacy: revisions that begin with `initialize`. modern: each request carries its own envelope.
enum class Era { legacy, modern };

inline constexpr std::string_view kModernRevision = "2026-07-28";
// Newest first: a client that requests an unknown revision gets the first.
inline constexpr std::array<std::string_view, 4> kLegacyRevisions = {"2025-11-25", "2025-06-18",
                                                                     "2025-03-26", "2024-11-05"};
// Assumed for legacy clients that do not name a revision.
inline constexpr std::string_view kAssumedRevision = "2025-03-26";

constexpr bool is_legacy_revision(std::string_view text) {
  for (const auto revision : kLegacyRevisions) {
    if (revision == text) return true;
  }
  return false;
}

constexpr Era era_of(std::string_view revision) {
  return revision == kModernRevision ? Era::modern : Era::legacy;
}

// The features of a protocol revision. The only place that compares revisions.
struct Features {
  std::string_view revision;

  constexpr explicit Features(std::string_view r) : revision(r) {}
  constexpr bool modern() const { return revision >= "2026-07-28"; }
  constexpr bool batches() const { return revision == "2025-03-26"; }
  constexpr bool annotations() const { return revision >= "2025-03-26"; }  // and audio blocks
  constexpr bool completions() const { return revision >= "2025-03-26"; }
  constexpr bool progress_message() const { return revision >= "2025-03-26"; }
  constexpr bool titles() const { return revision >= "2025-06-18"; }  // and _meta, resource links
  constexpr bool structured() const { return revision >= "2025-06-18"; }
  // Structured content may be any JSON value; before, only an object.
  constexpr bool structured_any() const { return revision >= "2026-07-28"; }
  constexpr bool elicitation() const { return revision >= "2025-06-18"; }
  // Elicitation by URL and by mode, sampling with tools.
  constexpr bool ask_modes() const { return revision >= "2025-11-25"; }
  constexpr bool primers() const { return revision == "2025-11-25"; }  // events without data
  // Experimental tasks, which the client requests (tasks.hpp).
  constexpr bool requested_tasks() const { return revision == "2025-11-25"; }
  constexpr bool icons() const { return revision >= "2025-11-25"; }
  // Invalid arguments of a tool are an error result; before, they are a protocol error.
  constexpr bool argument_errors_are_results() const { return revision >= "2025-11-25"; }
};

}  // namespace gantry::host::rpc
