// plan/typing/stage_typer.hpp: one pipeline on its way through typed_stages.hpp, stage by stage.
#pragma once

#include <string>

#include "plan/typing/expressions.hpp"
#include "plan/typing/joined_objects.hpp"

namespace gantry::data::typing {

// It has more than twenty methods: one for each stage that has names or literals.
class StageTyper {
 public:
  // All must outlive this. `depth`: the number of pipelines around this one.
  StageTyper(const Scope& scope, TypePtr root, TypesByName variables, Warnings& warnings, int depth)
      : scope_(scope),
        root_(std::move(root)),
        variables_(std::move(variables)),
        warnings_(warnings),
        depth_(depth) {}

  // Appends the stages in the types of the documents, then removes joined objects.
  Value run(const Value& stages);
  const TypePtr& documents() const { return root_; }

 private:
  using Change = Value (StageTyper::*)(const Value& spec);
  struct Entry;
  static const Entry* find(std::string_view name);

  void add(const Value& stage);

  Value match(const Value& spec);
  Value add_fields(const Value& spec);
  Value project(const Value& spec);
  Value unset(const Value& spec);
  Value group(const Value& spec);
  Value bucket(const Value& spec);
  Value sort(const Value& spec);
  Value sort_by_count(const Value& spec);
  Value count(const Value& spec);
  Value unwind(const Value& spec);
  Value lookup(const Value& spec);
  Value graph_lookup(const Value& spec);
  Value union_with(const Value& spec);
  Value facet(const Value& spec);
  Value replace_root(const Value& spec);
  Value replace_with(const Value& spec);
  bool is_output(Member& part);
  Value window(const Value& spec);
  Value fill(const Value& spec);
  Value densify(const Value& spec);
  Value documents_of_none(const Value& spec);

  ExpressionTyper expressions() { return {scope_, root_, variables_, &joins_, warnings_}; }
  TypePtr joined_documents(const Value& from, Value& spec, std::string_view pipeline,
                           TypesByName variables);
  void compare_sides(const Value& spec, const Type& local, const Type& foreign);

  const Scope& scope_;
  TypePtr root_;
  const TypesByName variables_;
  Warnings& warnings_;
  const int depth_;
  Joins joins_ = {};  // of the current stage
  JoinedObjects joined_ = {};
  Array out_ = {};
};

}  // namespace gantry::data::typing
