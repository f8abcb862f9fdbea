// The engine as a database in memory, sufficient for answering one command.
#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>

#include "case.hpp"
#include "errors/query_error.hpp"
#include "filter/condition.hpp"
#include "filter/geo/near.hpp"
#include "pipeline/stage.hpp"
#include "values/spending.hpp"

namespace gantry::data::cases {
namespace {

using pipeline::StreamPtr;

class Listed final : public pipeline::Stream {
 public:
  explicit Listed(Array documents) : documents_(std::move(documents)) {}
  bool next(Value& document) override {
    if (at_ == documents_.size()) return false;
    document = documents_[at_++];
    return true;
  }

 private:
  Array documents_;
  std::size_t at_ = 0;
};

class Collections final : public pipeline::Classes {
 public:
  explicit Collections(const Value& setup) {
    if (!setup.is_array()) return;
    for (const Value& entry : setup.elements()) {
      const Array& pair = entry.elements();
      if (pair.size() == 2 && pair[1].is_array()) {
        documents_[std::string(pair[0].text())] = pair[1].elements();
      }
    }
  }
  void check(std::string_view) override {}
  StreamPtr scan(std::string_view name, const pipeline::ScanHint&) override {
    const auto it = documents_.find(name);
    return std::make_unique<Listed>(it == documents_.end() ? Array() : it->second);
  }

 private:
  std::map<std::string, Array, std::less<>> documents_;
};

constexpr std::int64_t kPatienceMs = 20'000;

std::int64_t milliseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// {let: {name: expression}} of a command: the values of its variables, in their slots.
void define_let(const Value& let, expr::Variables& variables, expr::Context& context) {
  if (!let.is_object()) return;
  for (const Member& member : let.members()) {
    const auto value = expr::parse_expression(member.value, variables);
    context.slots.resize(variables.slots());
    Value got = value->evaluate(context);
    expr::check_variable_name(member.name, "let");
    const std::size_t slot = variables.define(member.name);
    context.slots.resize(variables.slots());
    context.slots[slot] = std::move(got);
  }
}

Array run_pipeline(const Value& setup, const Value& command, const Value& stages) {
  Collections collections(setup);
  const Spending::Scope spending(Budget::for_ms(kPatienceMs));
  expr::Variables variables;
  expr::Context base;
  base.now = milliseconds_now();
  define_let(command.find("let"), variables, base);
  pipeline::Reading reading{collections, variables};
  const auto plan = pipeline::parse_pipeline(stages, reading);
  base.slots.resize(variables.slots());
  std::mt19937_64 engine(1);
  pipeline::Run run{collections, base, {}};
  run.random = [&] { return std::uniform_real_distribution<double>(0, 1)(engine); };
  const Value& name = command.members()[0].value;
  StreamPtr source = std::make_unique<Listed>(Array());
  if (name.is_string()) source = collections.scan(name.text(), {});
  const StreamPtr stream = pipeline::open_pipeline(plan, std::move(source), run, base.slots);
  Array documents;
  for (Value document; stream->next(document);) documents.push_back(document);
  return documents;
}

Value stage(std::string_view name, const Value& spec) {
  ObjectBuilder object;
  object.add(std::string(name), spec);
  return object.build();
}

// The stages of a find, in the order in which find applies its parts.
Value stages_of(const Value& command, std::string_view filter) {
  Array stages;
  const auto add = [&](std::string_view part, std::string_view name) {
    const Value& spec = command.find(part);
    const bool is_empty = spec.is_nullish() || (spec.is_number() && spec.number() == 0) ||
                          (part != filter && spec.is_object() && spec.members().empty());
    if (!is_empty) stages.push_back(stage(name, spec));
  };
  add(filter, "$match");
  add("sort", "$sort");
  add("skip", "$skip");
  add("limit", "$limit");
  add("projection", "$project");
  return Value::array(std::move(stages));
}

struct Found {
  double distance;
  Value document;
};

// The documents that satisfy the filter, nearest first.
Array nearest_first(const Value& setup, const Value& command, const filter::Near& near) {
  expr::Variables variables;
  const auto condition = filter::parse_condition(command.find("filter"), variables);
  std::vector<Found> found;
  Collections collections(setup);
  expr::Context context;
  context.slots.resize(variables.slots());
  const StreamPtr all = collections.scan(command.members()[0].value.text(), {});
  for (Value document; all->next(document);) {
    context.root = context.current = document;
    if (condition->passes(context))
      found.push_back({near.distance(document).value_or(0), document});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.distance < b.distance; });
  Array documents;
  for (Found& one : found) documents.push_back(std::move(one.document));
  return documents;
}

// A find with $near: applies the other parts to the documents found.
Array find_nearest(const Value& setup, const Value& command, const filter::Near& near) {
  Value left =
      Value::array({command.members()[0].value, Value::array(nearest_first(setup, command, near))});
  Value rest = ObjectBuilder(command.members()).remove("filter").build();
  return run_pipeline(Value::array({std::move(left)}), rest, stages_of(rest, "filter"));
}

Value distinct_values(const Array& documents, const Value& key) {
  expr::Variables variables;
  const auto path = expr::parse_expression(Value::string("$" + std::string(key.text())), variables);
  std::set<Value, decltype([](const Value& a, const Value& b) { return compare(a, b) < 0; })> seen;
  for (const Value& document : documents) {
    expr::Context context;
    context.root = context.current = document;
    const Value value = path->evaluate(context);
    if (value.is_array()) {
      seen.insert(value.elements().begin(), value.elements().end());
    } else if (!value.is_missing()) {
      seen.insert(value);
    }
  }
  return Value::array(Array(seen.begin(), seen.end()));
}

}  // namespace

Value answer(const Value& setup, const Value& command) {
  if (!command.is_object() || command.members().empty()) return Value();
  if (!command.find("collation").is_missing()) {
    throw QueryError("Collations do not exist here; text is compared by its bytes.");
  }
  const std::string_view verb = command.members()[0].name;
  if (verb == "aggregate") {
    return Value::array(run_pipeline(setup, command, command.find("pipeline")));
  }
  if (verb == "find") {
    if (const auto near = filter::near_of(command.find("filter"))) {
      return Value::array(find_nearest(setup, command, *near));
    }
    return Value::array(run_pipeline(setup, command, stages_of(command, "filter")));
  }
  if (verb != "count" && verb != "distinct") return Value();
  Array found = run_pipeline(setup, command, stages_of(command, "query"));
  if (verb == "distinct") return distinct_values(found, command.find("key"));
  return Value::integer(static_cast<std::int64_t>(found.size()));
}

}  // namespace gantry::data::cases
