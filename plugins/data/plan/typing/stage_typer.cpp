#include "plan/typing/stage_typer.hpp"

#include <algorithm>

#include "plan/typing/conditions.hpp"
#include "plan/typing/literals.hpp"
#include "plan/typing/projections.hpp"
#include "plan/typing/typed_stages.hpp"

namespace gantry::data {
namespace typing {
namespace {

using Kind = Type::Kind;
constexpr int kDeepestPipeline = 20;  // limit of nested sub-pipelines, as in parsing

const ClassView* class_named(const Value& name, const Scope& scope) {
  return name.is_string() ? scope.open(name.text()) : nullptr;
}

}  // namespace

struct StageTyper::Entry {
  std::string_view name;
  Change change;
};

const StageTyper::Entry* StageTyper::find(std::string_view name) {
  static constexpr Entry kEntries[] = {
      {"$match", &StageTyper::match},
      {"$set", &StageTyper::add_fields},
      {"$addFields", &StageTyper::add_fields},
      {"$project", &StageTyper::project},
      {"$unset", &StageTyper::unset},
      {"$group", &StageTyper::group},
      {"$bucket", &StageTyper::bucket},
      {"$bucketAuto", &StageTyper::bucket},
      {"$sort", &StageTyper::sort},
      {"$sortByCount", &StageTyper::sort_by_count},
      {"$count", &StageTyper::count},
      {"$unwind", &StageTyper::unwind},
      {"$lookup", &StageTyper::lookup},
      {"$graphLookup", &StageTyper::graph_lookup},
      {"$unionWith", &StageTyper::union_with},
      {"$facet", &StageTyper::facet},
      {"$replaceRoot", &StageTyper::replace_root},
      {"$replaceWith", &StageTyper::replace_with},
      {"$setWindowFields", &StageTyper::window},
      {"$fill", &StageTyper::fill},
      {"$densify", &StageTyper::densify},
      {"$documents", &StageTyper::documents_of_none},
  };
  const auto* const known = std::find_if(std::begin(kEntries), std::end(kEntries),
                                         [&](const Entry& entry) { return entry.name == name; });
  return known == std::end(kEntries) ? nullptr : known;
}

Value StageTyper::run(const Value& stages) {
  for (const Value& stage : stages.elements()) add(stage);
  joined_.drop(out_);
  return Value::array(std::move(out_));
}

void StageTyper::add(const Value& stage) {
  const bool is_stage = stage.is_object() && stage.members().size() == 1;
  const Entry* const entry = is_stage ? find(stage.members().front().name) : nullptr;
  if (entry == nullptr) return out_.push_back(stage);
  const auto& [name, spec] = stage.members().front();
  // Each of these passes whole documents on.
  if (name == "$facet" || name == "$unionWith") joined_.drop(out_);
  joins_ = {};
  Value typed = (this->*entry->change)(spec);
  joined_.add(joins_, out_);
  joined_.hide(typed);
  out_.push_back(object_of(name, std::move(typed)));
  const bool is_new = root_->is_cut || (root_->cls == nullptr && !root_->is_open);
  if (is_new && (name == "$group" || name == "$project" || name.starts_with("$bucket") ||
                 name == "$count" || name == "$sortByCount")) {
    joined_.forget();
  }
  if (name == "$replaceRoot" || name == "$replaceWith") joined_.forget();
}

Value StageTyper::match(const Value& spec) {
  const bool is_met = depth_ == 0;
  return ConditionTyper{scope_, root_, variables_, &joins_, warnings_, is_met}.bind(spec);
}

Value StageTyper::add_fields(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  TypePtr after = root_;
  for (Member& field : typed.own_members()) {
    after = with_path(after, field.name, expressions().bind(field.value));
  }
  root_ = std::move(after);
  return typed;
}

Value StageTyper::project(const Value& spec) {
  if (!spec.is_object() || spec.members().empty()) return spec;
  Projected projected = typing::project(spec, root_, scope_, joins_, expressions());
  root_ = std::move(projected.documents);
  return std::move(projected.spec);
}

Value StageTyper::unset(const Value& spec) {
  const auto one = [this](const Value& name) {
    if (!name.is_string()) return name;
    const std::string real(real_name(*root_, name.text()));
    root_ = with_path(root_, real, real.find('.') == std::string::npos ? nullptr : any_type());
    return text_value(real);
  };
  if (!spec.is_array()) return one(spec);
  Array names;
  for (const Value& name : spec.elements()) names.push_back(one(name));
  return Value::array(std::move(names));
}

Value StageTyper::group(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  TypesByName made;
  for (Member& field : typed.own_members()) {
    made[field.name] = expressions().bind(field.value, field.name != "_id");
  }
  root_ = object_with(std::move(made));
  return typed;
}

Value StageTyper::bucket(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  TypePtr key = any_type();
  TypesByName made{{"count", scalar(Kind::number)}};
  for (Member& part : typed.own_members()) {
    if (part.name == "groupBy") key = expressions().bind(part.value);
    if (part.name != "output" || !part.value.is_object()) continue;
    made.clear();
    for (Member& field : part.value.own_members()) {
      made[field.name] = expressions().bind(field.value, true);
    }
  }
  for (Member& part : typed.own_members()) {
    if (part.name != "boundaries" || !part.value.is_array()) continue;
    for (Value& boundary : part.value.own_elements()) boundary = converted(boundary, *key);
  }
  made["_id"] = any_type();
  root_ = object_with(std::move(made));
  return typed;
}

Value StageTyper::sort(const Value& spec) { return expressions().sort_keys(spec); }

Value StageTyper::sort_by_count(const Value& spec) {
  Value typed = spec;
  TypePtr key = expressions().bind(typed);
  root_ = object_with({{"_id", std::move(key)}, {"count", scalar(Kind::number)}});
  return typed;
}

Value StageTyper::count(const Value& spec) {
  if (spec.is_string()) root_ = object_with({{std::string(spec.text()), scalar(Kind::number)}});
  return spec;
}

Value StageTyper::unwind(const Value& spec) {
  const Value& path = spec.is_object() ? spec.find("path") : spec;
  if (!path.is_string() || !path.text().starts_with('$')) return spec;
  const Place place = PathReader(scope_, root_, &joins_).read(path.text().substr(1));
  const TypePtr element = place.type->is(Kind::array) ? place.type->element : place.type;
  root_ = with_path(root_, place.path, element);
  const Value& index = spec.find("includeArrayIndex");
  if (index.is_string()) root_ = with_path(root_, index.text(), scalar(Kind::number));
  Value typed = text_value("$" + place.path);
  if (!spec.is_object()) return typed;
  return ObjectBuilder(spec.members()).set("path", std::move(typed)).build();
}

// Binds the sub-pipeline of `spec`, if it has one; the documents that it gives.
TypePtr StageTyper::joined_documents(const Value& from, Value& spec, std::string_view pipeline,
                                     TypesByName variables) {
  const TypePtr documents = document_of(class_named(from, scope_));
  const Value stages = spec.find(pipeline);
  if (!stages.is_array() || depth_ >= kDeepestPipeline) return documents;
  StageTyper inner(scope_, documents, std::move(variables), warnings_, depth_ + 1);
  spec = ObjectBuilder(spec.members()).set(pipeline, inner.run(stages)).build();
  return inner.documents();
}

void StageTyper::compare_sides(const Value& spec, const Type& local, const Type& foreign) {
  const std::string from(spec.find("from").is_string() ? spec.find("from").text() : "");
  warn_of_types("'" + std::string(spec.find("localField").text()) + "'", compared(local),
                "'" + from + "." + std::string(spec.find("foreignField").text()) + "'",
                compared(foreign), warnings_);
}

Value StageTyper::lookup(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  TypesByName variables = variables_;
  for (Member& part : typed.own_members()) {
    if (part.name != "let" || !part.value.is_object()) continue;
    for (Member& one : part.value.own_members()) {
      variables[one.name] = expressions().bind(one.value);
    }
  }
  const Value local = spec.find("localField"), foreign = spec.find("foreignField");
  const TypePtr other = document_of(class_named(spec.find("from"), scope_));
  if (local.is_string() && foreign.is_string()) {
    const Place here = PathReader(scope_, root_, &joins_).read(local.text());
    const Place there = PathReader(scope_, other, nullptr).read(foreign.text());
    compare_sides(spec, *here.type, *there.type);
    typed = ObjectBuilder(typed.members())
                .set("localField", text_value(here.path))
                .set("foreignField", text_value(there.path))
                .build();
  }
  const TypePtr documents =
      joined_documents(spec.find("from"), typed, "pipeline", std::move(variables));
  const Value& as = spec.find("as");
  if (as.is_string()) root_ = with_path(root_, as.text(), array_of(documents));
  return typed;
}

Value StageTyper::graph_lookup(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  const TypePtr other = document_of(class_named(spec.find("from"), scope_));
  for (Member& part : typed.own_members()) {
    if (part.name == "startWith") expressions().bind(part.value);
    const bool is_field = part.name == "connectFromField" || part.name == "connectToField";
    if (is_field && part.value.is_string()) {
      part.value = text_value(PathReader(scope_, other, nullptr).read(part.value.text()).path);
    }
    if (part.name == "restrictSearchWithMatch" && part.value.is_object()) {
      part.value = ConditionTyper{scope_, other, variables_, nullptr, warnings_}.bind(part.value);
    }
  }
  const Value &as = spec.find("as"), &depth = spec.find("depthField");
  const TypePtr found =
      depth.is_string() ? with_path(other, depth.text(), scalar(Kind::number)) : other;
  if (as.is_string()) root_ = with_path(root_, as.text(), array_of(found));
  return typed;
}

Value StageTyper::union_with(const Value& spec) {
  Value typed = spec;
  const Value from = spec.is_string() ? spec : spec.find("coll");
  const TypePtr documents = joined_documents(from, typed, "pipeline", variables_);
  const bool are_same = documents->cls != nullptr && documents->cls == root_->cls &&
                        documents->members.empty() && root_->members.empty();
  if (!are_same) root_ = united(*root_, *documents);
  return typed;
}

Value StageTyper::facet(const Value& spec) {
  if (!spec.is_object()) return spec;
  ObjectBuilder typed;
  TypesByName made;
  for (const auto& [name, stages] : spec.members()) {
    if (!stages.is_array()) return spec;
    StageTyper inner(scope_, root_, variables_, warnings_, depth_ + 1);
    typed.set(name, inner.run(stages));
    made[name] = array_of(inner.documents());
  }
  root_ = object_with(std::move(made));
  return typed.build();
}

Value StageTyper::replace_root(const Value& spec) {
  if (!spec.is_object()) return spec;
  return ObjectBuilder(spec.members()).set("newRoot", replace_with(spec.find("newRoot"))).build();
}

Value StageTyper::replace_with(const Value& spec) {
  Value typed = spec;
  const TypePtr type = expressions().bind(typed);
  root_ = type->is(Kind::object) ? type : document_of(nullptr);
  return typed;
}

// Binds the parts of a $setWindowFields or $fill before their output. True: the part is that.
bool StageTyper::is_output(Member& part) {
  if (part.name == "partitionBy") expressions().bind(part.value);
  if (part.name == "sortBy") part.value = expressions().sort_keys(part.value);
  return part.name == "output" && part.value.is_object();
}

Value StageTyper::window(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  TypePtr after = root_;
  for (Member& part : typed.own_members()) {
    if (!is_output(part)) continue;
    for (Member& field : part.value.own_members()) {
      TypePtr type = any_type();
      if (field.value.is_object()) {
        for (Member& one : field.value.own_members()) {
          if (one.name == "window") continue;
          Value call = object_of(one.name, one.value);
          type = expressions().bind(call, true);
          one.value = call.members().front().value;
        }
      }
      after = with_path(after, field.name, std::move(type));
    }
  }
  root_ = std::move(after);
  return typed;
}

Value StageTyper::fill(const Value& spec) {
  if (!spec.is_object()) return spec;
  Value typed = spec;
  for (Member& part : typed.own_members()) {
    if (!is_output(part)) continue;
    for (Member& field : part.value.own_members()) {
      root_ = with_path(root_, field.name, any_type());
      if (!field.value.is_object()) continue;
      for (Member& one : field.value.own_members()) {
        if (one.name == "value") expressions().bind(one.value);
      }
    }
  }
  return typed;
}

Value StageTyper::densify(const Value& spec) {
  const Value& field = spec.find("field");
  if (!field.is_string()) return spec;
  const std::string_view real = real_name(*root_, field.text());
  return ObjectBuilder(spec.members()).set("field", text_value(real)).build();
}

Value StageTyper::documents_of_none(const Value& spec) {
  root_ = document_of(nullptr);
  return spec;
}

}  // namespace typing

TypedStages typed_stages(const Value& stages, const ClassView* cls, const Scope& scope,
                         Warnings& warnings) {
  typing::StageTyper typer(scope, typing::document_of(cls), {}, warnings, 0);
  Value typed = typer.run(stages);
  return {std::move(typed), typer.documents()};
}

}  // namespace gantry::data
