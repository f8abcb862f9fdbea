#include "plan/plan.hpp"

#include <algorithm>
#include <iterator>

#include "pipeline/stages.hpp"
#include "plan/plan_match.hpp"
#include "plan/plan_sort.hpp"
#include "rows/class_reader.hpp"

namespace gantry::data {
namespace {

// OFFSET and LIMIT are 64-bit integers; no table has that many rows.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 53;

class Planner {
 public:
  Planner(const BoundRead& read, const Dialect& dialect, bool may_trust)
      : cls_(*read.cls),
        dialect_(dialect),
        may_trust_(may_trust),
        undocumented_(rows_without_document(*read.cls)) {
    plan_.clauses = read.clauses;
  }

  Plan run(const Array& stages, const pipeline::Stages& parsed) {
    std::size_t next = 0;
    while (next < stages.size() && plan_.count.empty() && push(stages[next], *parsed[next])) {
      ++next;
    }
    plan_.first_whole = next;
    plan_.residual.insert(plan_.residual.end(), stages.begin() + static_cast<long>(next),
                          stages.end());
    return std::move(plan_);
  }

 private:
  // Whether the database takes the stage, completely or except for conditions that go to
  // Plan::left.
  bool push(const Value& stage, const pipeline::Stage& parsed) {
    const auto& [name, spec] = stage.members().front();
    if (name == "$match") return match(stage, parsed.filter());
    if (!takes(name, spec)) return false;
    plan_.pushed.push_back(stage);
    return true;
  }

  bool takes(const std::string& name, const Value& spec) {
    if (name == "$sort") return sort(spec);
    if (!plan_.left.empty()) return false;
    if (name == "$limit") return limit(spec);
    if (name == "$skip") return skip(spec);
    return name == "$count" && count(spec);
  }

  bool is_bounded() const { return plan_.clauses.limit || plan_.clauses.skip > 0; }

  bool match(const Value& whole, const filter::ConditionPtr& filter) {
    if (is_bounded()) return false;
    MatchParts parts = split_match(filter, cls_, dialect_);
    plan_.clauses.where.also(parts.sql);
    if (parts.rest.empty()) {
      plan_.pushed.push_back(whole);
      return true;
    }
    if (!parts.pushed.empty()) plan_.pushed.push_back(object_of("$match", filter_of(parts.pushed)));
    plan_.residual.push_back(object_of("$match", filter_of(parts.rest)));
    std::move(parts.rest.begin(), parts.rest.end(), std::back_inserter(plan_.left));
    return true;
  }

  // The last $sort takes precedence; earlier ones break its ties.
  bool sort(const Value& spec) {
    if (is_bounded() || !may_trust_) return false;
    auto sql = sort_sql(spec, cls_);
    if (!sql) return false;
    Fragment order{sql->order, {}};
    if (!plan_.clauses.order.empty()) order.add(", ").add(plan_.clauses.order);
    plan_.clauses.order = std::move(order);
    std::move(sql->exceptions.begin(), sql->exceptions.end(), std::back_inserter(plan_.exceptions));
    return true;
  }

  bool limit(const Value& spec) {
    const std::uint64_t most = std::min(pipeline::read_limit(spec), kMostRows);
    plan_.clauses.limit = std::min(plan_.clauses.limit.value_or(most), most);
    return true;
  }

  // A row that does not hold a document must be an error, even if it is skipped.
  bool skip(const Value& spec) {
    if (undocumented_) return false;
    const std::uint64_t skipped = std::min(pipeline::read_skip(spec), kMostRows);
    auto& [where, order, skip, limit] = plan_.clauses;
    skip = std::min(skip + skipped, kMostRows);
    if (limit) limit = *limit - std::min(*limit, skipped);
    return true;
  }

  bool count(const Value& spec) {
    if (undocumented_ && !count_documents()) return false;
    plan_.count = spec.text();
    return true;
  }

  // Counts all documents, provided that no row is invalid.
  bool count_documents() {
    if (is_bounded() || !may_trust_) return false;
    plan_.exceptions.push_back({{}, *undocumented_});
    return true;
  }

  const ClassView& cls_;
  const Dialect& dialect_;
  const bool may_trust_;
  const std::optional<Fragment> undocumented_;  // rows that cannot be read
  Plan plan_;
};

}  // namespace

Plan make_plan(const BoundRead& read, const ParsedRead& parsed, const Dialect& dialect,
               bool may_trust) {
  return Planner(read, dialect, may_trust).run(parsed.stages.elements(), parsed.parsed);
}

pipeline::Stages residual_stages(pipeline::Stages parsed, const Plan& plan) {
  pipeline::Stages residual;
  for (const filter::ConditionPtr& one : plan.left) residual.push_back(pipeline::match_stage(one));
  std::move(parsed.begin() + static_cast<long>(plan.first_whole), parsed.end(),
            std::back_inserter(residual));
  return residual;
}

Plan no_plan(const BoundRead& read, const ParsedRead& parsed) {
  Plan plan;
  plan.clauses = read.clauses;
  plan.residual = parsed.stages.elements();
  return plan;
}

}  // namespace gantry::data
