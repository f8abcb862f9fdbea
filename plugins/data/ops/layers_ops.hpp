// ops/layers_ops.hpp: the model's layers, for operators alone.
#pragma once

#include "ops/request.hpp"

namespace gantry::data {

// {class_name?} -> meta {hidden [{class, by}], class?}: the classes that the model, a view's tables
// or the system hide from the agent, and every rule of the model about the named class. An absent
// class is no error. Names of users and tenants are not in it, filters by the names of their
// fields. Throws QueryError.
Reply describe_layers(const Request& request);

// meta {notes [sentence]}: policy/model_notes.hpp.
Reply note_model(const Request& request);

// meta: a line for the log that names the views which are absent for the rules of their tables;
// empty: there are none.
Reply name_hidden_views(const Request& request);

}  // namespace gantry::data
