// pipeline/stages.hpp: the parse functions of the stages, one per file; parse.cpp lists them.
#pragma once

#include <cstdint>
#include <limits>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {

using StagePtr = std::unique_ptr<const Stage>;

StagePtr parse_match(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_project(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_add_fields(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_unset(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_group(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_sort(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_limit(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_skip(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_unwind(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_lookup(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_graph_lookup(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_union_with(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_facet(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_bucket(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_bucket_auto(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_count(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_sort_by_count(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_replace_root(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_replace_with(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_sample(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_documents(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_redact(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_densify(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_fill(std::string_view name, const Value& spec, Reading& reading);
StagePtr parse_set_window_fields(std::string_view name, const Value& spec, Reading& reading);

// A $match of a parsed filter.
StagePtr match_stage(filter::ConditionPtr filter);

// A $sort of which only the first `most` documents are used; kNoBound: all of them.
inline constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();
StagePtr parse_sort_bounded(const Value& spec, std::uint64_t most);

// The numbers of {$limit: n} and {$skip: n}.
std::uint64_t read_limit(const Value& spec);
std::uint64_t read_skip(const Value& spec);

}  // namespace gantry::data::pipeline
