// The table of stages, and the errors for unknown and unsupported ones.
#include <algorithm>
#include <array>
#include <gantry/schema/nearest.hpp>

#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "values/utf8.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr int kDeepest = 20;
constexpr std::size_t kMostStages = 1000;

constexpr StageEntry kStages[] = {
    {"$addFields", parse_add_fields},
    {"$bucket", parse_bucket},
    {"$bucketAuto", parse_bucket_auto},
    {"$count", parse_count},
    {"$densify", parse_densify},
    {"$documents", parse_documents},
    {"$facet", parse_facet},
    {"$fill", parse_fill},
    {"$graphLookup", parse_graph_lookup},
    {"$group", parse_group},
    {"$limit", parse_limit},
    {"$lookup", parse_lookup},
    {"$match", parse_match},
    {"$project", parse_project},
    {"$redact", parse_redact},
    {"$replaceRoot", parse_replace_root},
    {"$replaceWith", parse_replace_with},
    {"$sample", parse_sample},
    {"$set", parse_add_fields},
    {"$setWindowFields", parse_set_window_fields},
    {"$skip", parse_skip},
    {"$sort", parse_sort},
    {"$sortByCount", parse_sort_by_count},
    {"$unionWith", parse_union_with},
    {"$unset", parse_unset},
    {"$unwind", parse_unwind},
};

// MongoDB stages that are not supported, and the alternative to suggest.
struct Refused {
  std::string_view name;
  bool is_dangerous;  // writes or runs code: the error is security_blocked
  std::string_view reason;
};
constexpr std::string_view kWrites =
    "writes; pipelines only read. Take the results and write them with the write tools";
constexpr std::string_view kCode =
    "runs code of the caller, which is never done. Write the condition with $expr and its "
    "operators";
constexpr std::string_view kServer =
    "tells about a MongoDB server; there is none here. get_schema tells about classes and indexes";
constexpr std::string_view kSearch =
    "is Atlas search, which does not exist here. Use $match with $text or $regex";
constexpr std::string_view kGeo =
    "is not a stage here. Use $match with $geoWithin, or $nearSphere in query_class";
constexpr std::string_view kChanges =
    "follows changes, a pipeline answers once. Subscribe to the "
    "class's resource instead";
constexpr Refused kRefused[] = {
    {"$out", true, kWrites},
    {"$merge", true, kWrites},
    {"$where", true, kCode},
    {"$function", true, kCode},
    {"$accumulator", true, kCode},
    {"$geoNear", false, kGeo},
    {"$search", false, kSearch},
    {"$searchMeta", false, kSearch},
    {"$vectorSearch", false, kSearch},
    {"$rankFusion", false, kSearch},
    {"$scoreFusion", false, kSearch},
    {"$score", false, kSearch},
    {"$changeStream", false, kChanges},
    {"$changeStreamSplitLargeEvent", false, kChanges},
    {"$collStats", false, kServer},
    {"$currentOp", false, kServer},
    {"$indexStats", false, kServer},
    {"$listClusterCatalog", false, kServer},
    {"$listLocalSessions", false, kServer},
    {"$listSampledQueries", false, kServer},
    {"$listSearchIndexes", false, kServer},
    {"$listSessions", false, kServer},
    {"$planCacheStats", false, kServer},
    {"$querySettings", false, kServer},
    {"$queryStats", false, kServer},
    {"$shardedDataDistribution", false, kServer},
};

template <class Entry, std::size_t kSize>
const Entry* find_entry(const Entry (&entries)[kSize], std::string_view name) {
  const auto* const it = std::find_if(std::begin(entries), std::end(entries),
                                      [&](const Entry& entry) { return entry.name == name; });
  return it == std::end(entries) ? nullptr : it;
}

[[noreturn]] void refuse_stage(std::string_view name) {
  if (const Refused* const refused = find_entry(kRefused, name); refused != nullptr) {
    std::string text = std::string(name) + " " + std::string(refused->reason) + ".";
    if (refused->is_dangerous) throw QueryError::blocked(std::move(text));
    throw QueryError(std::move(text));
  }
  const std::vector<std::string_view> names = stage_names();
  const auto near = schema::nearest(name, std::span<const std::string_view>(names));
  const std::string hint = near ? "Did you mean '" + std::string(*near) + "'? " : "";
  throw QueryError("'" + clipped(name) + "' is no stage of a pipeline. " + hint +
                   "Stages: " + joined(names) + ".");
}

// The only member of a stage's object.
const Member& stage_of(const Value& json) {
  if (!json.is_object()) {
    throw QueryError("Each stage of a pipeline is an object like {\"$match\": {}}, not " +
                     kind_of(json) + ".");
  }
  if (json.members().size() != 1) {
    throw QueryError(
        "A stage is an object with exactly one name, as {\"$match\": {}}; this one has " +
        std::to_string(json.members().size()) + ". Give each stage its own object.");
  }
  return json.members().front();
}

// Stages that map documents one to one and keep their order.
bool keeps_count(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames{"$project", "$addFields", "$set",
                                                          "$unset", "$replaceWith"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The number of documents that the stages after a $sort at `at` use.
std::uint64_t bound_after(const Array& stages, std::size_t at) {
  std::uint64_t skipped = 0;
  for (std::size_t i = at + 1; i < stages.size(); ++i) {
    const Member& stage = stage_of(stages[i]);
    if (stage.name == "$limit") {
      return skipped + read_limit(stage.value);
    }
    if (stage.name == "$skip") {
      skipped += read_skip(stage.value);
      if (skipped > kNoBound / 4) return kNoBound;
    } else if (!keeps_count(stage.name)) {
      break;
    }
  }
  return kNoBound;
}

StagePtr parse_stage(const Array& stages, std::size_t at, Reading& reading) {
  const Member& stage = stage_of(stages[at]);
  if (stage.name == "$sort") return parse_sort_bounded(stage.value, bound_after(stages, at));
  if (stage.name == "$documents" && (at > 0 || reading.in_facet)) {
    refuse(stage.name, "makes the documents a pipeline begins with; put it first");
  }
  if (stage.name == "$match" && at > 0 && !stage.value.find("$text").is_missing()) {
    refuse(stage.name, "$text reads a search index, so it may stand in the first stage only");
  }
  const StageEntry* const entry = find_entry(kStages, stage.name);
  if (entry == nullptr) refuse_stage(stage.name);
  return entry->parse(entry->name, stage.value, reading);
}

}  // namespace

std::vector<std::string_view> stage_names() {
  std::vector<std::string_view> names;
  for (const StageEntry& entry : kStages) names.push_back(entry.name);
  return names;
}

Stages parse_pipeline(const Value& json, Reading& reading) {
  if (!json.is_array()) {
    throw QueryError("A pipeline is an array of stages, not " + kind_of(json) + ".");
  }
  if (reading.depth > kDeepest) {
    throw QueryError("Pipelines inside pipelines may be 20 levels deep; flatten the inner ones.");
  }
  const Array& list = json.elements();
  if (list.size() > kMostStages) throw QueryError("A pipeline has at most 1000 stages.");
  Stages stages;
  stages.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) stages.push_back(parse_stage(list, i, reading));
  return stages;
}

}  // namespace gantry::data::pipeline
