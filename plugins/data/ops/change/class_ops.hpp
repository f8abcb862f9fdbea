// ops/change/class_ops.hpp: the operations create_class and delete_class. As change_ops.hpp.
#pragma once

#include "ops/change/rights.hpp"
#include "ops/request.hpp"

namespace gantry::data {

// {class_name, fields: {name: type or {type, target_class?, required?}}, document?, dry_run?,
// expect?}. Every class gets objectId, createdAt and updatedAt; a document class its _id.
Reply create_class(const Request& request, WriteTier tier);
// {class_name, dry_run?, expect?}
Reply delete_class(const Request& request, WriteTier tier);

}  // namespace gantry::data
