#include "ops/sampled_fields.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "plan/class_source.hpp"
#include "plan/read.hpp"
#include "rows/document_reader.hpp"

namespace gantry::data {
namespace {

constexpr int kMostSampled = 200;
constexpr std::size_t kMostBytes = 4u << 20;
constexpr std::int64_t kMostNanoseconds = 200'000'000;

// Returns false at the end. `document` is empty for a row that does not hold a document.
bool next_document(pipeline::Stream& stream, Value& document) {
  try {
    return stream.next(document);
  } catch (const NoDocument&) {
    document = ObjectBuilder().build();
    return true;
  }
}

// `paths`: the root fields that are read; null: all.
void sample(const ReadContext& context, const ClassView& cls, const std::set<std::string>* paths,
            SeenFields& fields) {
  Read first{&cls};
  first.limit = kMostSampled;
  first.may_scan = true;
  read_rows(context, first, [&](ClassSource& source, const Clauses& clauses) {
    const pipeline::StreamPtr stream = source.scan_where(cls, paths, clauses);
    Value document;
    std::size_t bytes = 0;
    for (int rows = 0; rows < kMostSampled && bytes < kMostBytes; ++rows) {
      if (!next_document(*stream, document)) break;
      fields.see(document);
      bytes += weight_of(document);
    }
  });
}

ReadContext with_little_time(const ReadContext& context) {
  ReadContext little = context;
  const std::int64_t ends = Budget::now_ns() + kMostNanoseconds;
  const std::int64_t deadline = context.budget.deadline_ns;
  little.budget.deadline_ns = deadline == 0 ? ends : std::min(deadline, ends);
  return little;
}

void throw_if_spent(const Budget& budget) {
  const Status status = budget.check();
  if (!status) throw QueryError(store_error(status));
}

}  // namespace

std::vector<SeenField> seen_fields(const Request& request, const ClassView& cls) {
  if (cls.is_view()) request.scope.lose_determinism();
  SeenFields fields;
  sample(request, cls, nullptr, fields);
  return fields.take();
}

std::vector<SeenField> seen_json_columns(const Request& request, const ClassView& cls) {
  std::set<std::string> paths;
  for (const FieldView& field : cls.fields) {
    if (field.json) paths.insert(field.name);
  }
  SeenFields fields;
  if (paths.empty()) return {};
  try {
    sample(with_little_time(request), cls, &paths, fields);
  } catch (const QueryError&) {
    // A slow view or a huge value: the keys that were seen are shown, and the description is made.
    throw_if_spent(request.budget);
    request.scope.lose_determinism();
  }
  return fields.take();
}

}  // namespace gantry::data
