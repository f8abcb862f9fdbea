// prompts/prompts.hpp: the eight prompts, one function each, and the completion of their arguments.
//
// Each returns messages for a model that has this server's tools. A prompt names only objects that
// its caller may see. A returned error has already ended the call; see core/model.hpp.
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include <gantry/completion.hpp>
#include <gantry/fields.hpp>
#include <gantry/prompt.hpp>

#include "core/model.hpp"

namespace prompts {

using Answer = gantry::Result<gantry::Messages>;

struct OfClass {
  std::string class_name;
  static auto fields() {
    return std::tuple(gantry::field("class_name", &OfClass::class_name, "Name of a class"));
  }
};

struct Grouping {
  std::string class_name, group_by;
  static auto fields() {
    return std::tuple(gantry::field("class_name", &Grouping::class_name, "Name of a class"),
                      gantry::field("group_by", &Grouping::group_by, "A field"));
  }
};

struct Subset {
  std::optional<std::string> classes;
  static auto fields() {
    return std::tuple(gantry::field("classes", &Subset::classes, "Names between commas"));
  }
};

struct Recent {
  std::string class_name;
  std::optional<std::string> limit;
  static auto fields() {
    return std::tuple(gantry::field("class_name", &Recent::class_name, "Name of a class"),
                      gantry::field("limit", &Recent::limit, "1 to 100"));
  }
};

struct Relationship {
  std::string parent_class, parent_id, child_class, pointer_field;
  static auto fields() {
    return std::tuple(
        gantry::field("parent_class", &Relationship::parent_class, "A class"),
        gantry::field("parent_id", &Relationship::parent_id, "objectId of its object"),
        gantry::field("child_class", &Relationship::child_class, "A class"),
        gantry::field("pointer_field", &Relationship::pointer_field, "Its pointer"));
  }
};

struct Range {
  std::string class_name, since;
  std::optional<std::string> until;
  static auto fields() {
    return std::tuple(gantry::field("class_name", &Range::class_name, "Name of a class"),
                      gantry::field("since", &Range::since, "ISO 8601"),
                      gantry::field("until", &Range::until, "ISO 8601"));
  }
};

Answer data_conventions(const Model& model);
Answer explore_database(const Model& model);
Answer data_relations(const Model& model, const Subset& which);
Answer class_overview(const Model& model, const OfClass& which);
Answer count_by(const Model& model, const Grouping& how);
Answer find_relationship(const Model& model, const Relationship& which);
Answer recent_activity(const Model& model, const Recent& which);
Answer created_in_range(const Model& model, const Range& which);

// Completes any argument of these prompts; empty if there are no suggestions.
gantry::Result<gantry::Completion> complete(const Model& model, const gantry::Completing& what);

}  // namespace prompts
