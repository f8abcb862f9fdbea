#include "plan/field_check.hpp"

#include <algorithm>

#include "errors/query_error.hpp"
#include "filter/columns/refusal.hpp"
#include "plan/class_source.hpp"
#include "plan/stage_outputs.hpp"
#include "policy/internal.hpp"

namespace gantry::data {
namespace {

using Names = std::set<std::string, std::less<>>;

// Tracks the fields of one pipeline's documents from stage to stage.
class Check {
 public:
  Check(const ClassView* cls, const Scope& scope) : cls_(cls), scope_(scope) {
    is_open_ = cls == nullptr || cls->is_open();
    if (cls != nullptr) (is_open_ ? open_ : known_).push_back(cls);
  }

  void run(const Value& stages, const pipeline::StageList& parsed) {
    for (std::size_t i = 0; i < parsed.size(); ++i) {
      const Member& stage = stages.elements()[i].members().front();
      const StageOutputs outputs = outputs_of(stage.name, stage.value);
      made_.insert(outputs.at_once.begin(), outputs.at_once.end());
      if (stage.name != "$facet") check_reads(*parsed[i], outputs);
      check_inner(stage, parsed[i]->inner());
      made_.insert(outputs.afterwards.begin(), outputs.afterwards.end());
      is_open_ = is_open_ || outputs.is_anything;
      if (outputs.is_anything) open_.clear();
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
    if (!path.empty() && !is_known(root)) refuse_denied(root);
    if (path.empty() || is_known(root)) {
      if (!names_internal(path) || is_known(path)) return;
    } else if (is_open_ && !names_internal(path)) {
      return;
    }
    refuse(names_internal(path) || is_dotted(path) ? path : root);
  }

  // A field of documents that no class of theirs permits. It is not in them anyway.
  void refuse_denied(std::string_view root) const {
    const bool is_denied =
        !open_.empty() && std::none_of(open_.begin(), open_.end(),
                                       [root](const ClassView* cls) { return cls->permits(root); });
    if (is_denied) columns::refuse_field(root, *open_.front());
  }

  // Whether `path` begins with a column's name that contains a dot: a path cannot refer to such a
  // column.
  bool is_dotted(std::string_view path) const {
    if (cls_ == nullptr) return false;
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

  // Checks a stage's references to other classes, and its sub-pipelines, parsed as `inner`.
  void check_inner(const Member& stage, const std::vector<pipeline::StageList>& inner) {
    if (stage.name == "$facet") {
      std::size_t i = 0;
      for (const Member& facet : stage.value.members()) Check(*this).run(facet.value, inner[i++]);
    }
    if (stage.name == "$lookup") {
      Check other = joined(stage.value.find("from"));
      other.check_field(stage.value.find("foreignField"));
      other.run(stage.value.find("pipeline"), inner.front());
    }
    if (stage.name == "$graphLookup") {
      Check other = joined(stage.value.find("from"));
      other.check_field(stage.value.find("connectFromField"));
      other.check_field(stage.value.find("connectToField"));
      const Value& match = stage.value.find("restrictSearchWithMatch");
      other.run(Value::array({object_of("$match", match)}), inner.front());
    }
    if (stage.name == "$unionWith") check_union(stage.value, inner.front());
  }

  Check joined(const Value& from) const {
    return {from.is_string() ? &open_class(scope_, from.text()) : nullptr, scope_};
  }

  void check_field(const Value& path) {
    if (path.is_string()) check(path.text());
  }

  void check_union(const Value& spec, const pipeline::StageList& inner) {
    Check other = joined(spec.is_string() ? spec : spec.find("coll"));
    other.run(spec.find("pipeline"), inner);
    made_.insert(other.made_.begin(), other.made_.end());
    known_.insert(known_.end(), other.known_.begin(), other.known_.end());
    open_.insert(open_.end(), other.open_.begin(), other.open_.end());
    is_open_ = is_open_ || other.is_open_;
  }

  const ClassView* cls_;
  const Scope& scope_;
  std::vector<const ClassView*> known_;  // whose fields the documents have
  std::vector<const ClassView*> open_;   // the same of classes with any fields
  Names made_;                           // fields made by stages
  bool is_open_ = false;                 // documents may have any fields
};

}  // namespace

void check_fields(const Value& stages, const pipeline::Stages& parsed, const ClassView* cls,
                  const Scope& scope) {
  Check(cls, scope).run(stages, pipeline::listed(parsed));
}

}  // namespace gantry::data
