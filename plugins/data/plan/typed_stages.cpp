#include "plan/typed_stages.hpp"

#include <algorithm>

#include "plan/stage_outputs.hpp"
#include "plan/typed_conditions.hpp"

namespace gantry::data {
namespace {

constexpr int kDeepest = 20;  // limit of nested sub-pipelines, as in parsing
constexpr std::string_view kId = "objectId";

const ClassView* class_named(const Value& name, const Scope& scope) {
  return name.is_string() ? scope.open(name.text()) : nullptr;
}

bool is_id(const Value& path) {
  return path.is_string() && (path.text() == kId || path.text() == "_id");
}

Value below_pointer(std::string_view path) {
  return Value::string(std::string(path) + "." + std::string(kId));
}

Value with(const Value& object, std::string_view name, Value value) {
  return ObjectBuilder(object.members()).set(name, std::move(value)).build();
}

class LiteralBinder {
 public:
  LiteralBinder(const ClassView* cls, const Scope& scope, int depth)
      : fields_{cls, {}}, scope_(scope), depth_(depth) {
    owns_id_ = cls == nullptr || cls->id_form == IdForm::none || cls->is_open() ||
               cls->find("_id") != nullptr;
  }

  BoundStages run(const Value& stages) {
    Array typed;
    typed.reserve(stages.elements().size());
    for (const Value& stage : stages.elements()) typed.push_back(one(stage));
    return {Value::array(std::move(typed)), owns_id_};
  }

 private:
  Value one(const Value& stage) {
    if (!stage.is_object() || stage.members().size() != 1) return stage;
    const auto& [name, spec] = stage.members().front();
    if (!may_change(name)) {
      follow(name, spec);
      return stage;
    }
    Value typed = bound_spec(name, spec);
    follow(name, spec);
    return ObjectBuilder().add(name, std::move(typed)).build();
  }

  // Whether bound_spec() can change the spec of this stage.
  static bool may_change(std::string_view name) {
    constexpr std::string_view kNames[] = {"$facet",   "$graphLookup", "$lookup", "$match",
                                           "$project", "$unionWith",   "$unset"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }

  Value bound_spec(const std::string& name, const Value& spec) {
    if (name == "$unset") return without_both(spec);
    if (name == "$unionWith" || name == "$lookup" || name == "$graphLookup") {
      return spec.is_object() ? joined(name, spec) : spec;
    }
    if (!spec.is_object()) return spec;
    if (name == "$match") return bind_condition(spec, fields_);
    if (name == "$project") return project_both(spec);
    if (name == "$facet") return facets(spec);
    return spec;
  }

  // Updates the fields of the class that the stage leaves unchanged.
  void follow(const std::string& name, const Value& spec) {
    if (name == "$match" || name == "$unionWith") return;
    if (name == "$group" || name == "$facet" || name == "$count") fields_.cls = nullptr;
    if (!is_well_formed(name, spec)) return;
    const StageOutputs outputs = outputs_of(name, spec);
    if (outputs.is_anything || name.starts_with("$bucket") || name == "$sortByCount") {
      fields_.cls = nullptr;
    }
    fields_.hidden.insert(outputs.afterwards.begin(), outputs.afterwards.end());
    owns_id_ = owns_id_ || fields_.cls == nullptr || outputs.afterwards.count("_id") > 0;
  }

  static bool is_well_formed(const std::string& name, const Value& spec) {
    if (name == "$count") return spec.is_string();
    if (name == "$sortByCount" || name == "$documents") return true;
    return name == "$unset" ? false : spec.is_object();
  }

  Value project_both(const Value& spec) const {
    if (owns_id_) return spec;
    for (const Member& field : spec.members()) {
      const bool is_left_out =
          (field.value.is_number() || field.value.is_boolean()) && !field.value.is_true();
      if (!is_left_out) return spec;
    }
    const bool has_id = !spec.find("_id").is_missing() || !spec.find(kId).is_missing();
    if (!has_id) return spec;
    return with(with(spec, "_id", Value::int32(0)), kId, Value::int32(0));
  }

  Value without_both(const Value& spec) const {
    const bool is_list = spec.is_array();
    if (owns_id_ || !(is_list || spec.is_string())) return spec;
    Array names = is_list ? spec.elements() : Array{spec};
    if (std::none_of(names.begin(), names.end(), is_id)) return spec;
    std::erase_if(names, is_id);
    names.push_back(Value::string("_id"));
    names.push_back(Value::string(std::string(kId)));
    return Value::array(std::move(names));
  }

  Value facets(const Value& spec) const {
    ObjectBuilder typed;
    for (const auto& [name, stages] : spec.members()) {
      typed.add(name, stages.is_array() ? LiteralBinder(*this).run(stages).stages : stages);
    }
    return typed.build();
  }

  Value joined(const std::string& name, Value spec) const {
    const Value& from = spec.find(name == "$unionWith" ? "coll" : "from");
    const Fields other{class_named(from, scope_), {}};
    const Value& stages = spec.find("pipeline");
    if (stages.is_array() && depth_ < kDeepest) {
      spec =
          with(spec, "pipeline", LiteralBinder(other.cls, scope_, depth_ + 1).run(stages).stages);
    }
    if (name == "$lookup") return type_lookup(std::move(spec), other);
    return name == "$graphLookup" ? type_graph(std::move(spec), other) : spec;
  }

  Value type_lookup(Value spec, const Fields& other) const {
    const Value local = spec.find("localField"), foreign = spec.find("foreignField");
    if (!local.is_string() || !foreign.is_string()) return spec;
    if (is_id(foreign) && fields_.is_pointer(local.text())) {
      return with(spec, "localField", below_pointer(local.text()));
    }
    if (is_id(local) && other.is_pointer(foreign.text())) {
      return with(spec, "foreignField", below_pointer(foreign.text()));
    }
    return spec;
  }

  Value type_graph(Value spec, const Fields& other) const {
    const Value& condition = spec.find("restrictSearchWithMatch");
    if (condition.is_object()) {
      spec = with(spec, "restrictSearchWithMatch", bind_condition(condition, other));
    }
    const Value to = spec.find("connectToField");
    const Value next = spec.find("connectFromField"), start = spec.find("startWith");
    const bool to_pointer = is_id(next) && to.is_string() && other.is_pointer(to.text());
    if (to_pointer) spec = with(spec, "connectToField", below_pointer(to.text()));
    if (!to_pointer && !is_id(to)) return spec;
    if (next.is_string() && other.is_pointer(next.text())) {
      spec = with(spec, "connectFromField", below_pointer(next.text()));
    }
    const bool is_field = start.is_string() && start.text().starts_with('$');
    if (is_field && fields_.is_pointer(start.text().substr(1))) {
      spec = with(spec, "startWith", below_pointer(start.text()));
    }
    return spec;
  }

  Fields fields_;
  const Scope& scope_;
  int depth_;
  bool owns_id_ = false;
};

}  // namespace

BoundStages bind_literals(const Value& stages, const ClassView* cls, const Scope& scope) {
  return LiteralBinder(cls, scope, 0).run(stages);
}

}  // namespace gantry::data
