#include "plan/read.hpp"

#include <chrono>
#include <random>

#include "plan/bound_read.hpp"
#include "plan/class_source.hpp"
#include "plan/plan_run.hpp"
#include "values/system_time.hpp"

namespace gantry::data {
namespace {

void visit_documents(const ReadContext& context, const BoundRead& bound, ClassSource& source,
                     const Plan& plan, const pipeline::Stages& stages, std::size_t slots,
                     ReadSink& sink) {
  expr::Context base;
  base.slots.resize(slots);
  base.now = system_ms();
  // Its construction costs more than a small answer, and few pipelines need it.
  std::optional<std::mt19937_64> generator;
  pipeline::Run run{source, base, [&] {
                      context.scope.lose_determinism();
                      if (!generator) generator.emplace(std::random_device{}());
                      return std::uniform_real_distribution<double>(0, 1)(*generator);
                    }};
  const pipeline::StreamPtr stream =
      pipeline::open_pipeline(stages, open_plan(source, bound, plan, stages), run, base.slots);
  for (Value document; stream->next(document);) {
    run.tick();
    if (!sink.add(document, source)) break;
  }
}

class RowSink final : public ReadSink {
 public:
  explicit RowSink(const ReadRows& rows) : rows_(rows) {}
  bool take(ClassSource& source, const Plan& plan) override {
    rows_(source, plan.clauses);
    return true;
  }
  bool add(Value& /*document*/, ClassSource& /*source*/) override { return false; }

 private:
  const ReadRows& rows_;
};

void run_over(ClassSource& source, const Read& read, const BoundRead& bound, ReadSink& sink,
              std::uint64_t most) {
  const ReadContext& context = source.context();
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  ParsedRead parsed = parse_checked(context, bound, reading);
  Plan plan = plan_for(context, bound, parsed, source, most);
  if (!read.ids && !read.may_scan) refuse_planned_scan(context, bound, plan, source, most);
  if (!sink.take(source, plan)) {
    const auto stages = residual_stages(std::move(parsed.parsed), plan);
    visit_documents(context, bound, source, plan, stages, variables.slots(), sink);
  }
}

}  // namespace

// Limits the memory of collected documents; far above any answer that fits.
bool DocumentList::add(Value& document, ClassSource& /*source*/) {
  found_.has_more = found_.list.size() == most_;
  if (found_.has_more) return false;
  const std::size_t heaviest = std::max<std::size_t>(64u << 20, 16 * context_.max_bytes);
  weight_ += weight_of(document);
  if (weight_ > heaviest) {
    throw QueryError(invalid_argument(
        "The answer would be far larger than the " + std::to_string(context_.max_bytes) +
        " bytes allowed. Keep fewer fields with $project, or fewer documents with $limit."));
  }
  found_.list.push_back(std::move(document));
  return true;
}

void run_read(const ReadContext& context, const Read& read, ReadSink& sink, std::uint64_t most) {
  const BoundRead bound = bind(context, read);
  ClassSource source(context, bound.ids);
  run_over(source, read, bound, sink, most);
  source.confirm();
}

Documents read_documents(const ReadContext& context, const Read& read, std::uint64_t most) {
  DocumentList list(context, most);
  run_read(context, read, list, most);
  return list.take_found();
}

void read_rows(const ReadContext& context, const Read& read, const ReadRows& rows) {
  RowSink sink(rows);
  run_read(context, read, sink);
}

void read_rows(ClassSource& source, const Read& read, const ReadRows& rows) {
  RowSink sink(rows);
  run_over(source, read, bind(source.context(), read), sink, kAllDocuments);
}

std::uint64_t count_rows(ClassSource& source, const ClassView& cls, const Clauses& clauses) {
  const CursorPtr cursor = source.prepare(count_rows(cls, clauses));
  const std::int64_t rows = cursor->next() ? cursor->row()[0].integer : 0;
  check_end(*cursor);
  return static_cast<std::uint64_t>(rows);
}

std::uint64_t count_objects(const ReadContext& context, Read read) {
  read.stages = Value::array({object_of("$count", Value::string("n"))});
  const Documents counted = read_documents(context, read);
  if (counted.list.empty()) return 0;
  return static_cast<std::uint64_t>(counted.list.front().find("n").integer());
}

void check_read(const ReadContext& context, const Read& read) {
  ClassSource source(context);
  expr::Variables variables;
  pipeline::Reading reading{source, variables};
  (void)parse_checked(context, bind(context, read), reading);
}

}  // namespace gantry::data
