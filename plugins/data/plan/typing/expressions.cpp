#include "plan/typing/expressions.hpp"

#include <algorithm>

#include "plan/typing/literals.hpp"
#include "plan/typing/results.hpp"
#include "values/utf8.hpp"

namespace gantry::data::typing {
namespace {

using Kind = Type::Kind;

bool is_call(const Value& value) {
  return value.is_object() && value.members().size() == 1 &&
         value.members().front().name.starts_with('$');
}

// A value that is no expression, and not inside {$literal: …}.
bool is_plain_literal(const Value& value) {
  if (value.is_string()) return !value.text().starts_with('$');
  return !value.is_object() && !value.is_array();
}

std::string name_of(const Value& expression) {
  if (expression.is_string()) return "'" + clipped(expression.text()) + "'";
  return is_call(expression) ? "'" + expression.members().front().name + "'" : "the expression";
}

TypePtr element_type(const TypePtr& array) {
  return array->is(Kind::array) ? array->element : any_type();
}

}  // namespace

TypePtr ExpressionTyper::bind(Value& expression, bool is_accumulator) const {
  if (expression.is_string()) return text(expression);
  if (expression.is_object()) return object(expression, is_accumulator);
  if (!expression.is_array()) return type_of(expression);
  TypePtr element;
  for (Value& one : expression.own_elements()) {
    TypePtr type = bind(one);
    element = element ? common(element, type) : std::move(type);
  }
  return array_of(element ? element : any_type());
}

TypePtr ExpressionTyper::text(Value& expression) const {
  const std::string given(expression.text());
  if (given.size() < 2 || given.front() != '$') return type_of(expression);
  if (given[1] != '$') {
    Place place = PathReader(scope_, root_, joins_).read(std::string_view(given).substr(1));
    if (std::string why = gone(*root_, std::string_view(given).substr(1)); !why.empty()) {
      warnings_.add(std::move(why));
    }
    expression = Value::string("$" + place.path);
    return place.type;
  }
  const std::string_view name = std::string_view(given).substr(2);
  const auto dot = name.find('.');
  return variable(expression, name.substr(0, dot),
                  dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1));
}

TypePtr ExpressionTyper::variable(Value& expression, std::string_view name,
                                  std::string_view rest) const {
  const bool is_root = name == "ROOT" || name == "CURRENT";
  if (is_root && rest.empty()) return root_;
  if (is_root) {
    Place place = PathReader(scope_, root_, joins_).read(rest);
    expression = Value::string("$" + place.path);
    return place.type;
  }
  if (name == "NOW") return scalar(Kind::date);
  const auto known = variables_.find(name);
  if (known == variables_.end()) return any_type();
  if (rest.empty()) return known->second;
  Place place = PathReader(scope_, known->second, nullptr).read(rest);
  std::string path = "$$" + std::string(name);
  if (!place.path.empty()) path += "." + place.path;
  expression = Value::string(std::move(path));
  return place.type;
}

TypePtr ExpressionTyper::object(Value& expression, bool is_accumulator) const {
  if (is_call(expression)) {
    Member& only = expression.own_members().front();
    return call(only.name, only.value, is_accumulator);
  }
  TypesByName members;
  for (Member& one : expression.own_members()) {
    if (one.name.starts_with('$')) return any_type();  // invalid
    members[one.name] = bind(one.value);
  }
  return object_with(std::move(members));
}

TypePtr ExpressionTyper::call(const std::string& name, Value& operand, bool is_accumulator) const {
  if (name == "$literal" || name == "$const") return type_of(operand);
  if (is_one_of(name, {"$eq", "$ne", "$cmp"}) || is_order_operator(name)) {
    return compare(name, operand);
  }
  if (name == "$in") return element_of(operand);
  if (name == "$dateFromString" && is_date_already(operand)) return scalar(Kind::date);
  if (name == "$let") return let(operand);
  if (is_one_of(name, {"$map", "$filter", "$reduce"})) return loop(name, operand);
  if (is_one_of(name, {"$cond", "$switch", "$ifNull"})) return branches(name, operand);
  if (name == "$getField") return get_field(operand);
  if (is_accumulator && is_one_of(name, {"$push", "$addToSet"})) return array_of(bind(operand));
  if (is_one_of(name, {"$first", "$last", "$min", "$max"})) {
    const TypePtr type = bind(operand);
    return is_accumulator ? type : element_type(type);
  }
  const bool is_ranked = is_one_of(name, {"$top", "$topN", "$bottom", "$bottomN"});
  if (is_ranked && is_accumulator) return ranked(operand, name);
  const TypePtr first = arguments(operand);
  if (name == "$arrayElemAt") return element_type(first);
  if (is_one_of(name, {"$slice", "$reverseArray", "$sortArray"})) return first;
  const Kind kind = result_of(name);
  return kind == Kind::any ? any_type() : scalar(kind);
}

// {sortBy: {field: 1}, output: …, n?}
TypePtr ExpressionTyper::ranked(Value& operand, std::string_view name) const {
  if (!operand.is_object()) return any_type();
  TypePtr output = any_type();
  for (Member& part : operand.own_members()) {
    if (part.name == "sortBy") {
      part.value = sort_keys(part.value);
    } else {
      TypePtr type = bind(part.value);
      if (part.name == "output") output = std::move(type);
    }
  }
  return name.ends_with('N') ? array_of(output) : output;
}

Value ExpressionTyper::sort_keys(const Value& keys) const {
  if (!keys.is_object()) return keys;
  ObjectBuilder named;
  for (const Member& key : keys.members()) {
    named.set(PathReader(scope_, root_, joins_).read(key.name).path, key.value);
  }
  return named.build();
}

// Binds all arguments of an operator; the type of the first, or of `input`.
TypePtr ExpressionTyper::arguments(Value& operand) const {
  TypePtr first;
  if (operand.is_array()) {
    for (Value& one : operand.own_elements()) {
      TypePtr type = bind(one);
      if (!first) first = std::move(type);
    }
  } else if (operand.is_object() && !is_call(operand)) {
    for (Member& one : operand.own_members()) {
      TypePtr type = bind(one.value);
      if (one.name == "input") first = std::move(type);
    }
  } else {
    first = bind(operand);
  }
  return first ? first : any_type();
}

TypePtr ExpressionTyper::compare(const std::string& name, Value& operand) const {
  TypePtr result = scalar(name == "$cmp" ? Kind::number : Kind::boolean);
  if (!operand.is_array() || operand.elements().size() != 2) return arguments(operand), result;
  Array& sides = operand.own_elements();
  const bool is_literal[] = {is_plain_literal(sides[0]), is_plain_literal(sides[1])};
  const Value written[] = {sides[0], sides[1]};
  const TypePtr types[] = {bind(sides[0]), bind(sides[1])};
  if (is_literal[0] && is_literal[1]) return result;
  for (const int side : {0, 1}) {
    if (!is_literal[side]) continue;
    const Type& other = *types[1 - side];
    warn_of_literal(name_of(written[1 - side]), other, name, written[side], warnings_);
    warn_of_null(written[1 - side], other, name, written[side]);
    doubt(sides[static_cast<std::size_t>(1 - side)], other, written[side], name);
    sides[static_cast<std::size_t>(side)] = converted(written[side], other);
    return result;
  }
  warn_of_types(name_of(written[0]), *types[0], name_of(written[1]), *types[1], warnings_);
  const bool is_less = name == "$lt" || name == "$lte";
  if (is_less) doubt_of_null(*types[0]);
  if (name == "$gt" || name == "$gte") doubt_of_null(*types[1]);
  return result;
}

// A text that no document may hold.
void ExpressionTyper::doubt(const Value& field, const Type& type, const Value& literal,
                            std::string_view op) const {
  if (op == "$lt" || op == "$lte") doubt_of_null(type);
  const bool is_path = field.is_string() && field.text().size() > 1 && field.text()[0] == '$' &&
                       field.text()[1] != '$';
  if (!is_path || !may_hold_texts(type) || !literal.is_string()) return;
  const Place place{std::string(field.text().substr(1)), std::make_shared<const Type>(type)};
  const Origin origin = origin_of(place, *root_);
  const bool is_bound = op == "$cmp" || is_order_operator(op);
  if (origin.cls != nullptr) {
    warnings_.doubt({origin.cls, origin.path, literal, false, is_bound});
  }
}

// NULL is a missing field, which is not equal to null in an expression.
void ExpressionTyper::warn_of_null(const Value& field, const Type& type, std::string_view op,
                                   const Value& literal) const {
  const bool is_equality = op == "$eq" || op == "$ne";
  if (!is_equality || !literal.is_nullish() || type.column == nullptr || type.column->required) {
    return;
  }
  const std::string path(field.text());
  warnings_.add("In an expression '" + path +
                "' is missing where it is NULL, and a missing field " +
                "does not equal null; write {\"" + (op == "$eq" ? "$lte" : "$gt") + "\": [\"" +
                path + "\", null]}.");
}

// A column that may be NULL, which is smaller than every value.
void ExpressionTyper::doubt_of_null(const Type& type) const {
  if (type.column == nullptr || type.column->required) return;
  warnings_.doubt({type.owner, type.column->name, Value()});
}

// {$dateFromString: {dateString: "$a"}} of a column that is shown as text and is a date: the date.
bool ExpressionTyper::is_date_already(Value& operand) const {
  const Value& text = operand.find("dateString");
  if (!text.is_string() || !text.text().starts_with('$')) return false;
  Value path = text;
  const TypePtr type = bind(path);
  if (!type->is(Kind::date)) return false;
  const Value as_text =
      object_of("$dateToString", ObjectBuilder()
                                     .add("date", path)
                                     .add("format", Value::string("%Y-%m-%dT%H:%M:%S.%LZ"))
                                     .build());
  operand =
      ObjectBuilder().add("dateString", as_text).set("onNull", operand.find("onNull")).build();
  return true;
}

// {$in: [value, list]}
TypePtr ExpressionTyper::element_of(Value& operand) const {
  if (!operand.is_array() || operand.elements().size() != 2 || !operand.elements()[1].is_array()) {
    return arguments(operand), scalar(Kind::boolean);
  }
  Array& sides = operand.own_elements();
  const std::string name = name_of(sides[0]);
  const TypePtr type = bind(sides[0]);
  for (Value& one : sides[1].own_elements()) {
    if (is_plain_literal(one)) {
      warn_of_literal(name, *type, "$in", one, warnings_);
      doubt(sides[0], *type, one, "$in");
      one = converted(one, *type);
    } else {
      bind(one);
    }
  }
  return scalar(Kind::boolean);
}

TypePtr ExpressionTyper::let(Value& operand) const {
  if (!operand.is_object()) return any_type();
  TypesByName variables = variables_;
  TypePtr result = any_type();
  for (Member& part : operand.own_members()) {
    if (part.name == "vars" && part.value.is_object()) {
      for (Member& one : part.value.own_members()) variables[one.name] = bind(one.value);
    }
  }
  for (Member& part : operand.own_members()) {
    if (part.name == "in") result = with(variables).bind(part.value);
  }
  return result;
}

// $map, $filter, $reduce: their variables have the type of the input's elements.
TypePtr ExpressionTyper::loop(const std::string& name, Value& operand) const {
  if (!operand.is_object()) return any_type();
  TypePtr input = any_type();
  std::string as = "this";
  for (Member& part : operand.own_members()) {
    if (part.name == "input") input = bind(part.value);
    if (part.name == "as" && part.value.is_string()) as = part.value.text();
  }
  TypesByName variables = variables_;
  variables[as] = element_type(input);
  if (name == "$reduce") variables["value"] = any_type();
  TypePtr inner = any_type();
  for (Member& part : operand.own_members()) {
    if (part.name == "in" || part.name == "cond") inner = with(variables).bind(part.value);
    if (part.name == "initialValue" || part.name == "limit") bind(part.value);
  }
  if (name == "$filter") return input;
  return name == "$map" ? array_of(inner) : any_type();
}

TypePtr ExpressionTyper::branches(const std::string& name, Value& operand) const {
  TypePtr result;
  const auto add = [&](Value& branch) {
    TypePtr type = bind(branch);
    if (branch.is_nullish()) return;
    result = result ? common(result, type) : std::move(type);
  };
  if (operand.is_array()) {
    const bool has_test = name == "$cond";
    Array& parts = operand.own_elements();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (has_test && i == 0) {
        bind(parts[i]);
      } else {
        add(parts[i]);
      }
    }
  } else if (operand.is_object()) {
    for (Member& part : operand.own_members()) {
      if (part.name == "if") {
        bind(part.value);
      } else if (part.name == "branches" && part.value.is_array()) {
        for (Value& branch : part.value.own_elements()) {
          if (!branch.is_object()) continue;
          for (Member& one : branch.own_members()) {
            if (one.name == "then") add(one.value);
            if (one.name == "case") bind(one.value);
          }
        }
      } else {
        add(part.value);
      }
    }
  }
  return result ? result : any_type();
}

// {$getField: "name"} and {$getField: {field: "name", input?}}, of the document.
TypePtr ExpressionTyper::get_field(Value& operand) const {
  const auto of_root = [this](Value& name) {
    if (!is_plain_literal(name) || !name.is_string()) return any_type();
    const std::string real(real_name(*root_, name.text()));
    name = Value::string(real);
    const TypePtr type = member(*root_, real);
    return type ? type : any_type();
  };
  if (operand.is_string()) return of_root(operand);
  if (!operand.is_object() || is_call(operand)) return arguments(operand), any_type();
  for (Member& part : operand.own_members()) {
    if (part.name == "field" && operand.find("input").is_missing()) return of_root(part.value);
  }
  arguments(operand);
  return any_type();
}

}  // namespace gantry::data::typing
