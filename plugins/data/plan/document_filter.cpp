#include "plan/document_filter.hpp"

#include <algorithm>
#include <array>

#include "filter/parser.hpp"
#include "plan/document_root.hpp"
#include "plan/sub_queries.hpp"
#include "rows/document_id.hpp"

namespace gantry::data {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// {"$oid": …} is a stored value, although its name looks like an operator.
bool is_oid(const Value& value) {
  return value.is_object() && value.members().size() == 1 && value.find("$oid").is_string();
}

bool holds_operators(const Value& value) {
  return filter::holds_operators(value) && !is_oid(value);
}

Value each(const Value& list, Value (*change)(const Value&)) {
  if (!list.is_array()) return list;
  Array changed;
  for (const Value& element : list.elements()) changed.push_back(change(element));
  return Value::array(std::move(changed));
}

bool lists_oids(std::string_view op, const Value& list) {
  return is_one_of(op, {"$in", "$nin"}) && list.is_array() &&
         std::any_of(list.elements().begin(), list.elements().end(), is_oid);
}

// Splits the values of $in or $nin: {"$oid": …} would be read as an operator there, so such values
// are compared one by one.
Value listed(std::string_view name, std::string_view op, const Array& values) {
  Array any, plain;
  for (const Value& value : values) {
    if (is_oid(value)) {
      any.push_back(object_of(name, object_of("$eq", value)));
    } else {
      plain.push_back(value);
    }
  }
  if (any.empty()) return object_of(name, object_of(op, Value::array(std::move(plain))));
  any.push_back(object_of(name, object_of("$in", Value::array(std::move(plain)))));
  return object_of(op == "$in" ? "$or" : "$nor", Value::array(std::move(any)));
}

Value id_text(const Value& id) {
  return id.is_nullish() || id.is_string() ? id : Value::string(document_id_text(id));
}

// {"$oid": …} is compared as a value.
Value stored_condition(const Value& condition) {
  if (is_oid(condition)) return object_of("$eq", condition);
  const Value& negated = condition.find("$not");
  if (!holds_operators(condition) || negated.is_missing()) return condition;
  return ObjectBuilder(condition.members()).set("$not", stored_condition(negated)).build();
}

// Equality on objectId tests the id's text form; ranges test the stored _id.
void add_id_conditions(const Value& condition, Array& all) {
  if (!holds_operators(condition)) {
    return all.push_back(object_of("objectId", id_text(condition)));
  }
  ObjectBuilder texts, ids;
  for (const auto& [op, operand] : condition.members()) {
    if (is_one_of(op, {"$gt", "$gte", "$lt", "$lte"})) {
      ids.set(op, operand);
    } else if (is_one_of(op, {"$in", "$nin"})) {
      texts.set(op, each(operand, id_text));
    } else {
      texts.set(op, is_one_of(op, {"$eq", "$ne"}) ? id_text(operand) : operand);
    }
  }
  if (!ids.empty()) all.push_back(object_of("_id", ids.build()));
  if (!texts.empty()) all.push_back(object_of("objectId", texts.build()));
}

class Reader {
 public:
  Reader(const ReadContext& context, int depth) : context_(context), depth_(depth) {}

  Value filter(const Value& where) {
    filter::check_levels(++level_);
    Array all;
    for (const auto& [name, condition] : where.members()) add(name, condition, all);
    --level_;
    return all.size() == 1 ? std::move(all.front()) : joined(std::move(all));
  }

 private:
  static Value joined(Array all) {
    if (all.empty()) return ObjectBuilder().build();
    return object_of("$and", Value::array(std::move(all)));
  }

  void add(std::string_view name, const Value& condition, Array& all) {
    if (is_one_of(name, {"$and", "$or", "$nor"})) {
      all.push_back(object_of(name, filters(condition)));
    } else if (name == "$expr") {
      all.push_back(object_of(name, with_stored_root(condition)));
    } else if (name.starts_with('$')) {
      all.push_back(object_of(name, condition));
    } else {
      add_field(name, condition, all);
    }
  }

  Value filters(const Value& list) {
    if (!list.is_array()) return list;
    Array all;
    for (const Value& one : list.elements()) all.push_back(one.is_object() ? filter(one) : one);
    return Value::array(std::move(all));
  }

  void add_field(std::string_view name, const Value& condition, Array& all) {
    Value plain = without_related(name, condition, all);
    if (plain.is_missing()) return;
    if (name == "objectId") return add_id_conditions(plain, all);
    plain = without_oid_lists(name, plain, all);
    if (!plain.is_missing()) all.push_back(object_of(name, stored_condition(plain)));
  }

  // The condition without lists that contain {"$oid": …}; missing if nothing is left.
  static Value without_oid_lists(std::string_view name, const Value& condition, Array& all) {
    if (!holds_operators(condition)) return condition;
    ObjectBuilder rest;
    bool has_lists = false;
    for (const auto& [op, operand] : condition.members()) {
      if (!lists_oids(op, operand)) {
        rest.set(op, operand);
        continue;
      }
      has_lists = true;
      all.push_back(listed(name, op, operand.elements()));
    }
    if (!has_lists) return condition;
    return rest.empty() ? Value() : rest.build();
  }

  // The condition without its sub-queries, which become separate conditions; missing if nothing is
  // left.
  Value without_related(std::string_view name, const Value& condition, Array& all) {
    const bool has_related =
        condition.is_object() &&
        std::any_of(condition.members().begin(), condition.members().end(),
                    [](const Member& one) { return columns::is_related(one.name); });
    if (!has_related) return condition;
    ObjectBuilder rest;
    for (const auto& [op, operand] : condition.members()) {
      if (!columns::is_related(op)) {
        rest.set(op, operand);
        continue;
      }
      const Array values =
          related_values(context_, op, columns::read_sub_query(op, operand), depth_);
      const bool is_in = op == "$inQuery" || op == "$select";
      all.push_back(listed(name, is_in ? "$in" : "$nin", values));
    }
    return rest.empty() ? Value() : rest.build();
  }

  const ReadContext& context_;
  int depth_;
  int level_ = 0;
};

}  // namespace

Value document_filter(const ReadContext& context, const Value& where, int depth) {
  return Reader(context, depth).filter(where);
}

}  // namespace gantry::data
