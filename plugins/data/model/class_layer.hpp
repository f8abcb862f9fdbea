// model/class_layer.hpp: one class of a model over the table that it describes.
//
// Internal to this folder. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.hpp"
#include "model/model.hpp"

namespace gantry::data::model {

// Exact spelling first; SQLite ignores the case of names. Null: there is none.
const Field* find_column(const ClassInfo& cls, std::string_view name);

// The class as `cls` describes it, except for the targets of declared pointers, which need all
// classes. Throws BadModel (key_reader.hpp): the description does not fit the table.
ClassInfo described_class(const ModelClass& cls, const ClassInfo& table);

}  // namespace gantry::data::model
