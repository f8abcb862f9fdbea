// plan/class_source.hpp: reads the documents of classes for the stages of a pipeline.
//
// All scans of one run share one leased connection, with several open statements: a $lookup reads
// another class during the first one's scan. A run never waits for a second connection, so runs
// cannot deadlock. The connection is leased at the first scan. Streams must be destroyed before
// their ClassSource. One thread.
//
// Errors are thrown as QueryError: the database's, the budget's, and the usual message for a class
// that the request's scope does not have.
#pragma once

#include <set>
#include <string>

#include "pipeline/stage.hpp"
#include "plan/context.hpp"
#include "rows/document_reader.hpp"
#include "sql/select.hpp"

namespace gantry::data {

class ClassSource final : public pipeline::Classes {
 public:
  // `ids`: whether documents of document classes begin with their objectId.
  explicit ClassSource(const ReadContext& context,
                       DocumentReader::Ids ids = DocumentReader::Ids::none)
      : context_(context), ids_(ids) {}

  void check(std::string_view name) override;
  // The database applies lookups of values in columns other than JSON and dates, and the parts of
  // the filter that SQL can express, unless pushdown is off.
  pipeline::StreamPtr scan(std::string_view name, const pipeline::ScanHint& wanted) override;
  // The rows of `clauses`, with the root fields of `paths` (null: all; stored documents are always
  // read whole), in their order.
  pipeline::StreamPtr scan_where(const ClassView& cls, const std::set<std::string>* paths,
                                 const Clauses& clauses);
  const ReadContext& context() const { return context_; }
  // Any other statement over the same connection.
  CursorPtr prepare(const Fragment& sql);
  Lease& lease();
  // Throws if another program changed the database's file during the reads.
  void confirm();

 private:
  Predicate rows_of(const ClassView& cls, const pipeline::ScanHint& wanted) const;

  const ReadContext& context_;
  DocumentReader::Ids ids_;
  LeasePtr lease_;  // null before the first scan
};

}  // namespace gantry::data
