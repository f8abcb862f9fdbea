#include "plan/typing/typed_where.hpp"

#include "plan/typing/allowed_values.hpp"
#include "plan/typing/expressions.hpp"
#include "plan/typing/literals.hpp"
#include "values/utf8.hpp"

namespace gantry::data::typing {
namespace {

constexpr int kDeepestWhere = 100;

bool is_list(std::string_view name) { return name == "$and" || name == "$or" || name == "$nor"; }

class WhereTyper {
 public:
  WhereTyper(const ClassView& cls, const Scope& scope, Warnings& warnings)
      : document_(document_of(&cls)), scope_(scope), warnings_(warnings) {}

  Value filter(const Value& where, int depth) const {
    if (!where.is_object() || depth > kDeepestWhere) return where;
    Value typed = where;
    for (Member& one : typed.own_members()) {
      if (one.name == "$expr") {
        ExpressionTyper(scope_, document_, none_, nullptr, warnings_).bind(one.value);
      } else if (is_list(one.name) && one.value.is_array()) {
        for (Value& part : one.value.own_elements()) part = filter(part, depth + 1);
      } else if (!one.name.starts_with('$')) {
        one.value = field(one.name, one.value, depth);
      }
    }
    return typed;
  }

 private:
  // Only dates warn: a literal of another type is refused where the filter is bound.
  Value field(const std::string& name, const Value& condition, int depth) const {
    const TypePtr type = member(*document_, real_name(*document_, name));
    const bool is_date = type && type->is(Type::Kind::date);
    const std::string quoted = "'" + clipped(name) + "'";
    if (!condition.is_object()) {
      if (is_date) warn_of_literal(quoted, *type, "$eq", condition, warnings_);
      doubt(name, type, condition, depth == 0);
      return condition;
    }
    Value typed = condition;
    for (Member& one : typed.own_members()) {
      if (one.name == "$eq" || one.name == "$ne") doubt(name, type, one.value, false);
      if ((one.name == "$in" || one.name == "$nin") && one.value.is_array()) {
        for (const Value& some : one.value.elements()) doubt(name, type, some, false);
      }
      if (one.name == "$inQuery" || one.name == "$notInQuery") {
        one.value = query(one.value, depth);
      } else if ((one.name == "$select" || one.name == "$dontSelect") && one.value.is_object()) {
        for (Member& part : one.value.own_members()) {
          if (part.name == "query") part.value = query(part.value, depth);
        }
      } else if (is_date && one.value.is_string()) {
        warn_of_literal(quoted, *type, one.name, one.value, warnings_);
      }
    }
    return typed;
  }

  // A value that the field never has, or a text that no object may hold.
  void doubt(const std::string& name, const TypePtr& type, const Value& literal,
             bool is_met) const {
    const ClassView& cls = *document_->cls;
    if (warn_of_value(cls, real_name(*document_, name), name, literal, warnings_)) return;
    const bool is_own = type && may_hold_texts(*type);
    const bool is_below = !type && name.find('.') != std::string::npos;
    if (!literal.is_string() || !(is_own || is_below)) return;
    warnings_.doubt({&cls, std::string(real_name(*document_, name)), literal, is_met});
  }

  Value query(const Value& operand, int depth) const {
    const Value& name = operand.find("className");
    const ClassView* const cls = name.is_string() ? scope_.open(name.text()) : nullptr;
    if (cls == nullptr || cls->is_open()) return operand;
    Value typed = operand;
    for (Member& one : typed.own_members()) {
      if (one.name == "where") {
        one.value = WhereTyper(*cls, scope_, warnings_).filter(one.value, depth + 1);
      }
    }
    return typed;
  }

  const TypePtr document_;
  const TypesByName none_ = {};
  const Scope& scope_;
  Warnings& warnings_;
};

}  // namespace

Value typed_where(const Value& where, const ClassView& cls, const Scope& scope,
                  Warnings& warnings) {
  return WhereTyper(cls, scope, warnings).filter(where, 0);
}

}  // namespace gantry::data::typing
