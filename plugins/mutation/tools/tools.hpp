// tools/tools.hpp: the handlers of this family; each answers its call.
//
// Threads as in gantry::Plugin. What the services refer to lives as long as the plugin.
#pragma once

#include <gantry/data.hpp>
#include <gantry/services.hpp>

#include "core/plan_tokens.hpp"

namespace mutation {

struct Services {
  const gantry::Data& data;
  const gantry::Invoke& invoke;
  const gantry::Catalog& catalog;
  PlanTokens& tokens;
};

using Tool = void (*)(const Services&, gantry::Call&);

void call_method(const Services& services, gantry::Call& call);
void create_object(const Services& services, gantry::Call& call);
void update_object(const Services& services, gantry::Call& call);
void delete_object(const Services& services, gantry::Call& call);
void create_class(const Services& services, gantry::Call& call);
void delete_class(const Services& services, gantry::Call& call);

}  // namespace mutation
