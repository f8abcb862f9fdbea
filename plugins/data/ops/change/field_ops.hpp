// ops/change/field_ops.hpp: Parse's operations on one field:
//
//   {"__op":"Increment","amount":n}      a number; a missing one counts as 0
//   {"__op":"Add"|"AddUnique"|"Remove","objects":[…]}     a list; a missing one is empty
//   {"__op":"Delete"}                    the same as null
//
// They apply to the stored value inside the transaction, so that nothing comes between. Errors say
// nothing of the stored value but that its kind does not fit. Pure functions; any thread.
#pragma once

#include <rapidjson/fwd.h>

#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>

#include "policy/class_filter.hpp"
#include "values/stored_value.hpp"
#include "write/convert.hpp"

namespace gantry::data {

struct FieldOp {
  enum class Type { increment, add, add_unique, remove, unset };
  Type type = Type::unset;
  const rapidjson::Value* operand = nullptr;  // the amount, or the array of objects

  bool is_of_list() const { return type != Type::increment && type != Type::unset; }
};

// None: the value is no operation. GANTRY_INVALID_ARGUMENT: it is a wrong one.
Result<std::optional<FieldOp>> field_op_of(const rapidjson::Value& json);

// Of a column. Whole numbers stay whole; beyond 64 bits is an error.
Result<write::Stored> incremented(const FieldOp& op, const StoredValue& stored);

// Of stored JSON text; empty: there is none. Elements that stay keep their text. `extended`: new
// elements and numbers are written as documents store them. `shown`: the classes that the agent
// sees (null: all). An operand with a pointer to another class is refused: the changed list would
// tell the agent whether an element with a redacted pointer equals it.
Result<std::string> changed_json(const FieldOp& op, std::string_view stored, bool extended,
                                 const ClassFilter* shown);

}  // namespace gantry::data
