// $graphLookup: the documents of another class that can be reached by following one field to
// another, level by level.
#include "filter/condition.hpp"
#include "pipeline/foreign_index.hpp"
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/sub_pipeline.hpp"
#include "pipeline/walk.hpp"
#include "values/pointer.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::string_view kGraphLookup = "$graphLookup";

struct GraphLookup {
  std::string from;
  expr::ExpressionPtr start;
  Path connect_from;
  filter::Path connect_to;
  bool leads_to_id;  // a pointer then leads to the object with its id
  Path as;
  std::int64_t deepest;              // negative: no limit
  Path depth_field;                  // empty: none
  filter::ConditionPtr restriction;  // null: none
};

class GraphStream final : public Stream {
 public:
  GraphStream(const GraphLookup& how, StreamPtr input, Run& run, const Array& slots)
      : how_(how), input_(std::move(input)), run_(run), context_(make_context(run, slots)) {}

  bool next(Value& document) override {
    if (!input_->next(document)) return false;
    run_.tick();
    look_at(context_, document);
    const Value start = how_.start->evaluate(context_);
    keeping(kGraphLookup, [&] { set_at(document, how_.as, Value::array(reach(start))); });
    return true;
  }

 private:
  Array reach(const Value& start) {
    Array frontier;
    if (start.is_array()) {
      frontier = start.elements();
    } else if (!start.is_missing()) {
      frontier.push_back(start);
    }
    if (how_.leads_to_id) add_bare_ids(frontier);
    asked_.clear();
    for (const Value& value : frontier) {
      run_.tick();
      asked_.insert(value);
    }
    seen_.clear();
    Array found;
    for (std::int64_t depth = 0; !frontier.empty(); ++depth) {
      if (how_.deepest >= 0 && depth > how_.deepest) break;
      frontier = follow(frontier, depth, found);
    }
    return found;
  }

  static void add_bare_ids(Array& values) {
    for (std::size_t i = 0, count = values.size(); i < count; ++i) {
      if (values[i].is_object()) values.push_back(Value(bare_id(values[i])));
    }
  }

  // Adds the documents reached from the values; returns the values of the next level.
  Array follow(const Array& frontier, std::int64_t depth, Array& found) {
    load(frontier);
    Array onward;
    for (const Value& value : frontier) {
      for (const Value& document : links_[value]) {
        run_.tick();
        if (!seen_.insert(identity_of(document)).second) continue;
        visit_values(document, how_.connect_from, [&](const Value& next) {
          if (asked_.insert(next).second) onward.push_back(next);
        });
        found.push_back(document);
        if (how_.depth_field.empty()) continue;
        set_at(found.back(), how_.depth_field, Value::int64(depth));
      }
    }
    return onward;
  }

  // Fetches the documents of those values that `links_` does not contain yet.
  void load(const Array& frontier) {
    if (links_weight_ > run_.spare()) forget();
    ForeignIndex index(run_);
    Array wanted;
    for (const Value& value : frontier) {
      run_.tick();
      if (links_.find(value) != links_.end()) continue;
      index.want(value);
      wanted.push_back(value);
    }
    ScanHint some;
    some.filter = how_.restriction;
    index.fetch(*index.scan(how_.from, how_.connect_to, some), how_.connect_to,
                [this](const Value& document) {
                  if (!how_.restriction) return true;
                  look_at(context_, document);
                  return how_.restriction->passes(context_);
                });
    for (const Value& value : wanted) {
      run_.tick();
      Array documents = index.documents_of({value});
      std::size_t weight = weight_of(value);
      for (const Value& document : documents) weight += weight_of(document);
      links_weight_ += weight;
      links_.emplace(value, std::move(documents));
    }
  }

  void forget() {
    links_.clear();
    links_weight_ = 0;
  }

  static const Value& identity_of(const Value& document) {
    for (const std::string_view name : {"_id", "objectId"}) {
      if (const Value& id = document.find(name); !id.is_missing()) return id;
    }
    return document;
  }

  const GraphLookup& how_;
  StreamPtr input_;
  Run& run_;
  expr::Context context_;
  ValueSet asked_;  // for the current document: values already followed,
  ValueSet seen_;   // and identities of the documents found
  std::size_t links_weight_ = 0;
  ValueMap<Array> links_;  // value to documents
};

class GraphStage final : public Stage {
 public:
  explicit GraphStage(GraphLookup how) : how_(std::move(how)) {
    if (how_.restriction) restriction_ = match_stage(how_.restriction);
  }
  std::string_view name() const override { return kGraphLookup; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<GraphStream>(how_, std::move(input), run, slots);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    how_.start->add_paths(paths);
    if (how_.as.size() > 1) paths.insert(dotted({how_.as.begin(), how_.as.end() - 1}));
    return true;
  }
  bool passes_others() const override { return true; }
  std::vector<StageList> inner() const override {
    return {restriction_ ? StageList{restriction_.get()} : StageList{}};
  }

 private:
  GraphLookup how_;
  StagePtr restriction_;  // as a $match
};

std::int64_t read_depth(std::string_view name, const Options& options) {
  if (!options.has("maxDepth")) return -1;
  const std::int64_t depth = whole_number(name, "'maxDepth'", options["maxDepth"]);
  if (depth < 0) refuse(name, "'maxDepth' must not be negative");
  return depth;
}

filter::ConditionPtr read_restriction(std::string_view name, const Options& options,
                                      Reading& reading) {
  const Value& json = options["restrictSearchWithMatch"];
  if (json.is_missing()) return nullptr;
  if (!json.is_object()) {
    refuse(name, "'restrictSearchWithMatch' must be an object of conditions, not " + kind_of(json));
  }
  return filter::parse_condition(json, reading.variables);
}

}  // namespace

StagePtr parse_graph_lookup(std::string_view name, const Value& spec, Reading& reading) {
  const Options options(name, spec,
                        {"from", "startWith", "connectFromField", "connectToField", "as",
                         "maxDepth", "depthField", "restrictSearchWithMatch"});
  const std::string_view to = options.text("connectToField");
  parse_path(name, "'connectToField'", to);
  GraphLookup how{read_class(name, "from", options["from"]),
                  expr::parse_expression(options.require("startWith"), reading.variables),
                  parse_path(name, "'connectFromField'", options.text("connectFromField")),
                  filter::Path(to),
                  to == "objectId" || to == "_id",
                  parse_path(name, "'as'", options.text("as")),
                  read_depth(name, options),
                  {},
                  read_restriction(name, options, reading)};
  if (options.has("depthField")) {
    how.depth_field = parse_path(name, "'depthField'", options.text("depthField"));
  }
  reading.classes.check(how.from);
  return std::make_unique<GraphStage>(std::move(how));
}

}  // namespace gantry::data::pipeline
