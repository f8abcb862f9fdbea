#include "pipeline/group_table.hpp"

#include <utility>

#include "pipeline/spec.hpp"

namespace gantry::data::pipeline {
namespace {

// The approximate overhead of a group besides its values, and of each accumulator.
constexpr std::size_t kGroupBytes = 96;
constexpr std::size_t kStateBytes = 96;

}  // namespace

Outputs::Outputs(std::string_view stage, const Value& spec, std::string_view passed_over,
                 expr::Variables& variables) {
  if (!spec.is_object()) {
    refuse(stage, "wants an object of accumulators, not " + kind_of(spec));
  }
  for (const Member& member : spec.members()) {
    if (!passed_over.empty() && member.name == passed_over) continue;
    check_field_name(stage, member.name);
    list_.push_back({member.name, expr::parse_accumulator(member.name, member.value, variables)});
  }
}

void Outputs::add_paths(std::set<std::string>& paths) const {
  for (const Output& output : list_) output.plan->add_paths(paths);
}

void Groups::begin(const Value& id, expr::Context& context) {
  charges_.emplace_back(kGroupBytes + kStateBytes * outputs_.size());
  const Value document = std::exchange(context.root, id.is_object() ? id : ObjectBuilder().build());
  context.current = context.root;
  for (const Outputs::Output& output : outputs_) states_.push_back(output.plan->start(context));
  look_at(context, document);
}

void Groups::feed(std::size_t group, expr::Context& context) {
  const State* const states = states_.data() + group * outputs_.size();
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs_[i].plan->feed(*states[i], context);
}

Value Groups::finish(std::size_t group, Value id) {
  State* const states = states_.data() + group * outputs_.size();
  ObjectBuilder document;
  document.add("_id", std::move(id));
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Value result = states[i]->result();
    document.set(outputs_[i].name, result.is_missing() ? Value::null() : std::move(result));
    states[i].reset();
  }
  charges_[group] = Charge();
  return document.build();
}

void GroupTable::feed(const Value& id, expr::Context& context) {
  const auto [it, is_new] = places_.try_emplace(id, ids_.size());
  if (is_new) {
    ids_.push_back(id);
    groups_.begin(id, context);
  }
  groups_.feed(it->second, context);
}

Array GroupTable::finish(const expr::Context& context) {
  places_ = ValueMap<std::size_t>();
  Array results;
  results.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    context.step();
    results.push_back(groups_.finish(i, std::move(ids_[i])));
  }
  ids_.clear();
  return results;
}

bool GroupStream::next(Value& document) {
  if (input_) keeping(stage_, [this] { gather(); });
  if (at_ == results_.size()) return false;
  document = std::move(results_[at_++]);
  return true;
}

void GroupStream::gather() {
  for (Value document; input_->next(document);) {
    context_.step();
    look_at(context_, document);
    table_.feed(id_of(context_), context_);
  }
  input_.reset();
  results_ = table_.finish(context_);
  arrange(results_);
}

}  // namespace gantry::data::pipeline
