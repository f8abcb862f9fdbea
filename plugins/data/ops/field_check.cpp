#include "ops/field_check.hpp"

#include <algorithm>

#include "ops/class_source.hpp"
#include "ops/stage_outputs.hpp"
#include "policy/internal.hpp"
#include "values/query_error.hpp"
#include "where/refusal.hpp"

namespace gantry::data {
namespace {

using pipeline::Reading;
using Names = std::set<std::string, std::less<>>;

std::string root_of(std::string_view path) { return std::string(path.substr(0, path.find('.'))); }

// Fields of one pipeline's documents, from stage to stage.
class Check {
 public:
  Check(const ClassInfo* cls, const Scope& scope) : cls_(cls), scope_(scope) {
    is_open_ = cls == nullptr || !cls->document.empty();
    if (cls != nullptr) learn(*cls);
  }

  void run(const Value& stages, const Reading& reading) {
    expr::Variables variables = reading.variables;
    Reading inner{reading.classes, variables, reading.depth, reading.in_facet};
    const pipeline::Stages parsed = pipeline::parse_pipeline(stages, inner);
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
  void learn(const ClassInfo& cls) {
    if (!cls.document.empty()) return;
    if (cls.id_form != IdForm::none) made_.insert({"_id", "objectId"});
    if (cls.created_at) made_.insert("createdAt");
    if (cls.updated_at) made_.insert("updatedAt");
    for (const Field* field : scope_.visible_fields(cls)) {
      const bool has_dots = field->name.find('.') != std::string::npos;
      (has_dots ? dotted_ : made_).insert(field->name);
    }
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
    const std::string root = root_of(path);
    if (path.empty() || made_.count(root) > 0) {
      if (!names_internal(path) || made_.count(path) > 0) return;
    } else if (is_open_ && !names_internal(path)) {
      return;
    }
    refuse(names_internal(path) || is_dotted(path) ? path : std::string_view(root));
  }

  // Whether a path is, or goes on from, a column's name: a path has no way to say that.
  bool is_dotted(std::string_view path) const {
    return std::any_of(dotted_.begin(), dotted_.end(), [path](const std::string& name) {
      return path == name || (path.starts_with(name) && path[name.size()] == '.');
    });
  }

  [[noreturn]] void refuse(std::string_view name) {
    try {
      static const ClassInfo kNone;
      if (is_dotted(name) && !names_internal(name)) where::refuse_dotted(name, *cls_);
      where::refuse_field(name, cls_ == nullptr ? kNone : *cls_, scope_);
    } catch (where::Refusal& refusal) {
      throw QueryError(std::move(refusal.error));
    }
  }

  // What stages say about other classes and pipelines inside.
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
    Check other(from.is_string() ? &class_or_throw(scope_, from.text()) : nullptr, scope_);
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
    Check other(from.is_string() ? &class_or_throw(scope_, from.text()) : nullptr, scope_);
    if (spec.is_object() && spec.find("pipeline").is_array()) {
      other.run(spec.find("pipeline"),
                {reading.classes, reading.variables, reading.depth + 1, reading.in_facet});
    }
    made_.insert(other.made_.begin(), other.made_.end());
    is_open_ = is_open_ || other.is_open_;
  }

  const ClassInfo* cls_;
  const Scope& scope_;
  Names made_;            // the class's fields too
  Names dotted_;          // its fields with dots in their names
  bool is_open_ = false;  // documents may hold anything
};

}  // namespace

void check_fields(const Value& stages, const ClassInfo* cls, const Scope& scope,
                  const Reading& reading) {
  Check(cls, scope).run(stages, reading);
}

}  // namespace gantry::data
