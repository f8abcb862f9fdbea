// ops/model_echo.hpp: what the operator's model says of a class, as far as the agent sees it.
//
// Names of fields that the agent does not see are left out. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/json_writer.hpp>

#include "values/value.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// Whether the agent may use the field. Of an open class: any that the rules permit.
bool sees_field(const ClassView& cls, std::string_view name);

// The members `description`, `agent_fields`, `agent_join_fields` and `canonical_filter` of
// get_schema; those that the model does not declare are left out. The lists are without objectId,
// createdAt and updatedAt, which are always there; the filter is shown only if all of its fields
// are.
void write_description(const ClassView& cls, JsonWriter& json);
void write_echoes(const ClassView& cls, JsonWriter& json);

bool is_large_field(const ClassView& cls, std::string_view name);

// The canonical filter as JSON; empty: there is none, or the agent does not see all of its fields.
std::string shown_canonical_filter(const ClassView& cls);

// The stages of a shown plan or pipeline, after the canonical filter as a $match if it is applied
// and shown.
// `cls` may be null.
Array with_canonical(const ClassView* cls, Array stages);

}  // namespace gantry::data
