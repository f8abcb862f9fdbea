// model/names.hpp: the names of fields in a model file, compared with the fields of its class.
//
// Internal to this folder. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "model/model.hpp"

namespace gantry::data::model {

// A name in a file that no field of its class has.
struct Unresolved {
  std::string key;  // "agent_fields"; its path in the file
  std::string name;
  std::string nearest;  // empty: none is near
};

// In the order of the file's keys. `info` is the class that described_class() made. None for a
// class of documents: its objects may have any field.
std::vector<Unresolved> unresolved_names(const ModelClass& cls, const ClassInfo& info);

// "'stat' is no field of 'Order'; did you mean 'status'?"
std::string sentence(const Unresolved& one, const ModelClass& cls);

// Refuses names that no field has or that are never shown, a pointer among large_fields, and a
// canonical filter over a field outside agent_fields. Throws BadModel (key_reader.hpp).
void check_names(const ModelClass& cls, const ClassInfo& info);

}  // namespace gantry::data::model
