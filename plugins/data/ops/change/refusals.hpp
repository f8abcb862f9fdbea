// ops/change/refusals.hpp: why a write is refused, in words for the caller.
//
// Details are {kind, class_name, fields?}: fields that the caller sees and nothing else. No message
// holds a stored value, a hidden name or a text of the schema. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "errors/error.hpp"
#include "policy/row_rules.hpp"
#include "store/editor.hpp"
#include "view/class_view.hpp"

namespace gantry::data {

// The database refuses the row of a class. `shown` is the class as the caller sees it.
DataError refused_row(const RowRefusal& refusal, const ClassView& shown, ClassOp op);
// The schema is in error where the write needs it. `why` has its names and is for the audit alone.
DataError broken_schema(const ClassView& shown, const std::string& why);
// A pointer names an object that does not exist, or that the caller may not see: one answer.
DataError missing_target(const ClassView& shown, const std::string& field);
// The field is never written by callers; `why` continues "Field 'x' cannot be written: ".
DataError unwritable_field(const ClassView& shown, const std::string& field,
                           const std::string& why);
// The value does not fit the field; `why` is exact and of the given value alone.
DataError unfit_value(const ClassView& shown, const std::string& field, const std::string& why);
// The object is visible, but not one that the caller may write.
DataError unwritable_object(const ClassView& shown, ClassOp op);
// After the write the caller could not see or write the object.
DataError outside_boundary(const ClassView& shown);
// After the write no object has the id, and no boundary of the agent is the reason.
DataError gone_object(const ClassView& shown, const std::string& id);
// The class's objects cannot be written, whatever the agent.
DataError unwritable_class(const ClassView& shown, const std::string& why);
// No record of a write has the id.
DataError no_such_write(const std::string& id);
// Objects, or without ids the whole class, are not as they were read or previewed.
DataError changed_since(std::string_view class_name, const std::vector<std::string>& ids);

}  // namespace gantry::data
