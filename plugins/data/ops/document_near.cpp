#include "ops/document_near.hpp"

#include <algorithm>

#include "catalog/floor.hpp"
#include "expr/sort_order.hpp"
#include "filter/columns/refusal.hpp"
#include "filter/condition.hpp"
#include "pipeline/projection.hpp"
#include "plan/class_source.hpp"
#include "plan/scan.hpp"
#include "sql/row_order.hpp"
#include "values/sorting.hpp"

namespace gantry::data {
namespace {

struct Placed {
  double distance;
  Value document;
  expr::SortKey key;  // empty without an order
};

void refuse_internal(const std::set<std::string>& paths, const ClassView& cls) {
  for (const std::string& path : paths) {
    for (std::size_t at = 0; at < path.size();) {
      const std::size_t dot = std::min(path.find('.', at), path.size());
      if (is_internal_field(std::string_view(path).substr(at, dot - at))) {
        columns::refuse_field(path, cls);
      }
      at = dot + 1;
    }
  }
}

// The order given by the caller, if there is one.
using GivenOrder = std::optional<expr::SortOrder>;
using AllPlaced = std::vector<Placed, Metered<Placed>>;

AllPlaced all_near(const Request& request, const ClassView& cls, const filter::Condition& condition,
                   const filter::Near& near, const GivenOrder& order, expr::Context& context) {
  ClassSource source(request, DocumentReader::Ids::shown);
  refuse_scan(request, source.lease(), cls, select_rows(cls, "1", in_own_order(cls, {})), {});
  const pipeline::StreamPtr stream = source.scan_where(cls, nullptr);
  AllPlaced placed;
  for (Value document; stream->next(document);) {
    context.step();
    context.root = context.current = document;
    const auto distance = condition.passes(context) ? near.distance(document) : std::nullopt;
    if (!distance) continue;
    placed.push_back({*distance, document, order ? order->key_of(document) : expr::SortKey()});
  }
  source.confirm();
  return placed;
}

GivenOrder order_of(const ClassView& cls, const Finding& finding) {
  Array stages;
  add_sort(finding.order, stages);
  if (stages.empty()) return std::nullopt;
  GivenOrder order(std::in_place, "$sort", stages.front().find("$sort"));
  std::set<std::string> paths;
  order->add_paths(paths);
  refuse_internal(paths, cls);
  return order;
}

filter::ConditionPtr near_condition(const ClassView& cls, const Finding& finding,
                                    expr::Variables& variables) {
  auto condition = filter::parse_condition(finding.where, variables);
  std::set<std::string> paths;
  condition->add_paths(paths);
  refuse_internal(paths, cls);
  return condition;
}

// Objects that are equal in the given order stay sorted by distance.
void sort_placed(AllPlaced& placed, const GivenOrder& order) {
  sort_stably(placed, [](const Placed& a, const Placed& b) { return a.distance < b.distance; });
  if (!order) return;
  sort_stably(placed,
              [&](const Placed& a, const Placed& b) { return order->compare(a.key, b.key) < 0; });
}

}  // namespace

void check_near(const ClassView& cls, const Finding& finding) {
  expr::Variables variables;
  (void)near_condition(cls, finding, variables);
  (void)order_of(cls, finding);
}

Documents find_near(const Request& request, const ClassView& cls, const Finding& finding,
                    const filter::Near& near, const Value& projection) {
  expr::Variables variables;
  const auto condition = near_condition(cls, finding, variables);
  if (!variables.is_deterministic()) request.scope.lose_determinism();
  const GivenOrder order = order_of(cls, finding);
  expr::Context context;
  context.slots.resize(variables.slots());
  AllPlaced placed;
  keeping("$near", [&] {
    placed = all_near(request, cls, *condition, near, order, context);
    sort_placed(placed, order);
  });
  const auto first = std::min(placed.size(), static_cast<std::size_t>(finding.skip));
  const auto last = std::min(placed.size(), first + static_cast<std::size_t>(finding.limit));
  Documents found;
  for (std::size_t i = first; i < last; ++i) found.list.push_back(std::move(placed[i].document));
  if (projection.is_missing()) return found;
  const auto kept = pipeline::Projection::of_project("$project", projection, variables);
  for (Value& document : found.list) {
    context.root = context.current = document;
    kept.apply(document, context);
  }
  return found;
}

}  // namespace gantry::data
