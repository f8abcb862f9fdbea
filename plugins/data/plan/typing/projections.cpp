#include "plan/typing/projections.hpp"

#include <algorithm>

#include "pipeline/spec.hpp"

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

// Below a dotted name the type of the whole field is no longer known.
void set_type(TypesByName& members, const std::string& name, TypePtr type) {
  const bool is_root = name.find('.') == std::string::npos;
  members[std::string(first_of(name))] = is_root ? std::move(type) : any_type();
}

bool names_id(const Member& field, const Type& root) {
  return real_name(root, field.name) == real_name(root, "_id");
}

bool is_left_out(const Member& field) {
  return pipeline::is_flag(field.value) && !field.value.is_true();
}

bool is_kept_id(const Member& field, const Type& root) {
  return pipeline::is_flag(field.value) && field.value.is_true() && names_id(field, root);
}

// {_id: 1, a: 0} leaves out `a` alone, as {a: 0} does.
bool is_exclusion(const Members& fields, const Type& root) {
  if (std::all_of(fields.begin(), fields.end(), is_left_out)) return true;
  const auto leaves_out = [&root](const Member& field) {
    return is_left_out(field) && !names_id(field, root);
  };
  return std::any_of(fields.begin(), fields.end(), leaves_out) &&
         std::all_of(fields.begin(), fields.end(), [&root](const Member& field) {
           return is_left_out(field) || is_kept_id(field, root);
         });
}

Projected excluded(const Value& spec, TypePtr root) {
  ObjectBuilder typed;
  for (const Member& field : spec.members()) {
    if (is_kept_id(field, *root)) continue;
    const auto& [name, flag] = field;
    const std::string real(real_name(*root, name));
    typed.set(real, flag);
    root = with_path(root, real, real.find('.') == std::string::npos ? nullptr : any_type());
  }
  return {typed.build(), std::move(root)};
}

// MongoDB keeps _id unless it is excluded; here it is the column of the key.
Projected included(const Value& spec, const TypePtr& root, const Scope& scope, Joins& joins,
                   const ExpressionTyper& expressions) {
  const std::string id(real_name(*root, "_id"));
  const bool has_other_name = id != "_id" && member(*root, id) != nullptr;
  bool keeps_id = has_other_name;
  Members typed;
  TypesByName left;
  for (const auto& [name, given] : spec.members()) {
    const bool names_id = has_other_name && real_name(*root, name) == id;
    if (names_id) keeps_id = false;
    if (names_id && pipeline::is_flag(given) && !given.is_true()) continue;
    if (name == "_id" && !pipeline::is_flag(given)) keeps_id = false;
    if (!pipeline::is_flag(given)) {
      Value value = given;
      TypePtr type = expressions.bind(value);
      typed.push_back({name, std::move(value)});
      set_type(left, name, std::move(type));
      continue;
    }
    Place place = PathReader(scope, root, &joins).read(name);
    const bool is_renamed = place.path != name && !(name == "_id" && names_id);
    const std::string shown = is_renamed ? name : place.path;
    typed.push_back({shown, is_renamed ? text_value("$" + place.path) : given});
    set_type(left, shown, std::move(place.type));
  }
  if (keeps_id) {
    typed.insert(typed.begin(), {id, Value::int32(1)});
    left[id] = member(*root, id);
  }
  // Rows of a class have no other _id.
  if (is_row(*root) && member(*root, "_id") == nullptr && spec.find("_id").is_missing()) {
    typed.push_back({"_id", Value::int32(0)});
  }
  return {ObjectBuilder(std::move(typed)).build(), cut_to(root, std::move(left), keeps_id)};
}

}  // namespace

TypePtr with_path(const TypePtr& object, std::string_view path, TypePtr type) {
  const std::string name(first_of(path));
  if (name.size() == path.size()) return with_member(object, name, std::move(type));
  const TypePtr inner = object->is(Kind::object) ? member(*object, name) : nullptr;
  if (!inner || !inner->is(Kind::object)) return with_member(object, name, any_type());
  return with_member(object, name, with_path(inner, path.substr(name.size() + 1), std::move(type)));
}

Projected project(const Value& spec, const TypePtr& root, const Scope& scope, Joins& joins,
                  const ExpressionTyper& expressions) {
  return is_exclusion(spec.members(), *root) ? excluded(spec, root)
                                             : included(spec, root, scope, joins, expressions);
}

}  // namespace gantry::data::typing
