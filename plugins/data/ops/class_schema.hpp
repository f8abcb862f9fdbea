// ops/class_schema.hpp: the description of one class, as get_schema shows it.
#pragma once

#include <cstddef>

#include <gantry/json_writer.hpp>

#include "ops/request.hpp"

namespace gantry::data {

// The kinds of fields in an answer: how they are used is said once, for all of them.
struct UsedKinds {
  bool pointer = false, date = false, json = false;
};

// Whether the values of its CHECK or model are shown. Dates and booleans are not shown as they are
// stored.
bool shows_allowed(const Field& field);
void write_literal(JsonWriter& json, const Literal& value);

// The number of fields that describe_class() would list.
std::size_t listed_field_count(const Request& request, const ClassView& cls);

// Writes the members class_name, type, id_field?, sql?, fields, indexes, estimated_rows? into the
// open object, and notes the kinds. The last is the only one that changes with rows alone; see
// watch/read_notes.hpp.
void write_class(const Request& request, const ClassView& cls, UsedKinds& kinds, JsonWriter& json);

// Writes the member hints, if there are any, into the open object.
void write_hints(const UsedKinds& kinds, JsonWriter& json);

}  // namespace gantry::data
