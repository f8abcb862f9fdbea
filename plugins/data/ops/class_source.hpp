// ops/class_source.hpp: reads the documents of classes for the stages of a pipeline.
//
// All scans of one run share one leased connection, with several open statements: a $lookup reads
// another class during the first one's scan. A run never waits for a second connection, so runs
// cannot deadlock. The connection is leased at the first scan. Streams must be destroyed before
// their ClassSource. One thread.
//
// Errors are thrown as QueryError: the database's, the budget's, and the usual message for a class
// that the request's scope does not have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "ops/request.hpp"
#include "pipeline/stage.hpp"
#include "rows/document_reader.hpp"

namespace gantry::data {

// The order and bounds of a class's rows.
struct Window {
  std::string order = {};  // sorts before the table's own order, which breaks ties; may be empty
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
};

// The statement that reads `columns` of the class's rows.
Fragment rows_sql(const ClassInfo& cls, std::string_view columns, const Fragment& where,
                  const Window& window);

class ClassSource final : public pipeline::Classes {
 public:
  // `ids`: whether documents of document classes begin with their objectId.
  explicit ClassSource(const Request& request, DocumentReader::Ids ids = DocumentReader::Ids::none)
      : request_(request), ids_(ids) {}

  void check(std::string_view name) override;
  // The database applies lookups of values in columns other than JSON and dates, and the parts of
  // the filter that SQL can express, unless pushdown is off.
  pipeline::StreamPtr scan(std::string_view name, const pipeline::ScanHint& wanted) override;
  // The condition that scan() uses for these values; empty: it reads the whole class.
  std::optional<Fragment> rows_with(const ClassInfo& cls, std::string_view path,
                                    const Array& values) const;
  // The rows that satisfy `where` (empty: all), with the root fields of `paths` (null: all; stored
  // documents are always read whole), in the order and bounds of `window`.
  pipeline::StreamPtr scan_where(const ClassInfo& cls, const Fragment& where,
                                 const std::set<std::string>* paths, const Window& window = {});
  // Any other statement over the same connection.
  CursorPtr prepare(const Fragment& sql);
  Lease& lease();
  // Throws if another program changed the database's file during the reads.
  void confirm();

 private:
  Fragment rows_of(const ClassInfo& cls, const pipeline::ScanHint& wanted) const;

  const Request& request_;
  DocumentReader::Ids ids_;
  LeasePtr lease_;  // null before the first scan
};

// The class, or the QueryError of open_class().
const ClassInfo& class_or_throw(const Scope& scope, std::string_view name);

}  // namespace gantry::data
