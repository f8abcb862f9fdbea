#include "plan/field_check.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "plan/class_source.hpp"
#include "plan/stage_outputs.hpp"
#include "policy/internal.hpp"

namespace gantry::data {
namespace {

using pipeline::Reading;
using Names = std::set<std::string, std::less<>>;

// Tracks the fields of one pipeline's documents from stage to stage.
class Check {
 public:
  Check(const ClassView* cls, const Scope& scope) : cls_(cls), scope_(scope) {
    is_open_ = cls == nullptr || cls->is_open();
    if (!is_open_) known_.push_back(cls);
  }

  void run(const Value& stages, const Reading& reading) {
    expr::Variables variables = reading.variables;
    Reading inner{reading.classes, variables, reading.depth, reading.in_facet};
    run(stages, pipeline::parse_pipeline(stages, inner), reading);
  }

  void run(const Value& stages, const pipeline::Stages& parsed, const Reading& reading) {
    for (std::size_t i = 0; i < parsed.size(); ++i) {
      const Member& stage = stages.elements()[i].members().front();
      const StageOutputs outputs = outputs_of(stage.name, stage.value);
      made_.insert(outputs.at_once.begin(), outputs.at_once.end());
      if (stage.name != "$facet") check_reads(*parsed[i], outputs);
      check_inner(stage, reading);
      made_.insert(outputs.afterwards.begin(), outputs.afterwards.end());
      is_open_ = is_open_ || outputs.is_anything;
    }
  }

 private:
  // Whether `name`, without a dot, is a field of a class with columns.
  static bool is_field_of(const ClassView& cls, std::string_view name) {
    if (name == "_id" || name == "objectId") {
      if (cls.id_form != IdForm::none) return true;
    }
    if (cls.role(name) != nullptr) return true;
    return name.find('.') == std::string_view::npos && cls.find(name) != nullptr;
  }

  bool is_known(std::string_view name) const {
    return made_.count(name) > 0 ||
           std::any_of(known_.begin(), known_.end(),
                       [&](const ClassView* cls) { return is_field_of(*cls, name); });
  }

  void check_reads(const pipeline::Stage& stage, const StageOutputs& outputs) {
    std::set<std::string> paths;
    (void)stage.add_paths(paths);
    const bool is_at_any_depth = stage.name() == "$redact";
    for (const std::string& path : paths) {
      if (!is_at_any_depth || names_internal(path)) check(path);
    }
    for (const std::string& path : outputs.removed) check(path);
  }

  void check(std::string_view path) {
    const std::string_view root = path.substr(0, path.find('.'));
    if (path.empty() || is_known(root)) {
      if (!names_internal(path) || is_known(path)) return;
    } else if (is_open_ && !names_internal(path)) {
      return;
    }
    refuse(names_internal(path) || is_dotted(path) ? path : root);
  }

  // Whether `path` begins with a column's name that contains a dot: a path cannot refer to such a
  // column.
  bool is_dotted(std::string_view path) const {
    if (cls_ == nullptr || cls_->is_open()) return false;
    const auto& fields = cls_->fields;
    return std::any_of(fields.begin(), fields.end(), [path](const FieldView& field) {
      const std::string& name = field.name;
      if (name.find('.') == std::string::npos || !path.starts_with(name)) return false;
      return path.size() == name.size() || path[name.size()] == '.';
    });
  }

  [[noreturn]] void refuse(std::string_view name) {
    if (cls_ == nullptr) columns::refuse_field(name);
    if (is_dotted(name) && !names_internal(name)) columns::refuse_dotted(name, *cls_);
    columns::refuse_field(name, *cls_);
  }

  // Checks a stage's references to other classes, and its sub-pipelines.
  void check_inner(const Member& stage, const Reading& reading) {
    if (stage.name == "$facet") {
      for (const Member& facet : stage.value.members()) {
        Check(*this).run(facet.value, {reading.classes, reading.variables, reading.depth, true});
      }
    }
    if (stage.name == "$lookup") check_join(stage.value, {"foreignField"}, reading);
    if (stage.name == "$graphLookup") {
      check_join(stage.value, {"connectFromField", "connectToField"}, reading);
    }
    if (stage.name == "$unionWith") check_union(stage.value, reading);
  }

  void check_join(const Value& spec, std::initializer_list<std::string_view> fields,
                  const Reading& reading) {
    const Value& from = spec.find("from");
    Check other(from.is_string() ? &open_class(scope_, from.text()) : nullptr, scope_);
    for (const std::string_view field : fields) {
      if (spec.find(field).is_string()) other.check(spec.find(field).text());
    }
    expr::Variables variables = reading.variables;
    const Reading inner{reading.classes, variables, reading.depth + 1, reading.in_facet};
    if (const Value& let = spec.find("let"); let.is_object()) {
      for (const Member& variable : let.members()) variables.define(variable.name);
    }
    if (const Value& stages = spec.find("pipeline"); stages.is_array()) other.run(stages, inner);
    if (const Value& match = spec.find("restrictSearchWithMatch"); match.is_object()) {
      const Value stage = ObjectBuilder().add("$match", match).build();
      other.run(Value::array({stage}), inner);
    }
  }

  void check_union(const Value& spec, const Reading& reading) {
    const Value& from = spec.is_string() ? spec : spec.find("coll");
    Check other(from.is_string() ? &open_class(scope_, from.text()) : nullptr, scope_);
    if (spec.is_object() && spec.find("pipeline").is_array()) {
      other.run(spec.find("pipeline"),
                {reading.classes, reading.variables, reading.depth + 1, reading.in_facet});
    }
    made_.insert(other.made_.begin(), other.made_.end());
    known_.insert(known_.end(), other.known_.begin(), other.known_.end());
    is_open_ = is_open_ || other.is_open_;
  }

  const ClassView* cls_;
  const Scope& scope_;
  std::vector<const ClassView*> known_;  // whose fields the documents have
  Names made_;                           // fields made by stages
  bool is_open_ = false;                 // documents may have any fields
};

}  // namespace

void check_fields(const Value& stages, const pipeline::Stages& parsed, const ClassView* cls,
                  const Scope& scope, const Reading& reading) {
  Check(cls, scope).run(stages, parsed, reading);
}

}  // namespace gantry::data
