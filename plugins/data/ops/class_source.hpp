// ops/class_source.hpp: the documents of classes, for the stages of a pipeline.
//
// All scans of one run go over one leased connection, which may have many statements open at once:
// a $lookup reads another class while the first one's scan is under way, and since a run never
// waits for a second connection, runs cannot wait for each other in a circle. The connection is
// taken at the first scan. Streams end before their ClassSource. One thread.
//
// Errors are thrown as QueryError: the database's, the budget's and those of classes that the
// request's scope does not have, in the words used elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "ops/request.hpp"
#include "pipeline/stage.hpp"
#include "rows/document_reader.hpp"

namespace gantry::data {

// Which of a class's rows are read, in what order.
struct Window {
  std::string order = {};  // before the table's own; empty: that alone
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> limit = {};
};

// The statement that reads `columns` of them.
Fragment rows_sql(const ClassInfo& cls, std::string_view columns, const Fragment& where,
                  const Window& window);

class ClassSource final : public pipeline::Classes {
 public:
  // `ids`: whether documents of document classes begin with their objectId.
  explicit ClassSource(const Request& request, DocumentReader::Ids ids = DocumentReader::Ids::none)
      : request_(request), ids_(ids) {}

  void check(std::string_view name) override;
  // The database looks up values of a column that is no JSON and no date, and what it can say of
  // the filter unless pushdown is off.
  pipeline::StreamPtr scan(std::string_view name, const pipeline::Wanted& wanted) override;
  // The condition on the rows that scan() reads for these values; none: on all of the class.
  std::optional<Fragment> rows_with(const ClassInfo& cls, std::string_view path,
                                    const Array& values) const;
  // The rows that satisfy `where` (empty: all), with the fields that `paths` begin with (null:
  // all; documents are whole), in the table's own order but for what `window` says.
  pipeline::StreamPtr scan_where(const ClassInfo& cls, const Fragment& where,
                                 const std::set<std::string>* paths, const Window& window = {});
  // Any other statement over the same connection.
  sqlite::Statement prepare(const Fragment& sql);
  sqlite::Lease& lease();
  // Fails when the database's file was changed under what has been read.
  void confirm();

 private:
  Fragment rows_of(const ClassInfo& cls, const pipeline::Wanted& wanted) const;

  const Request& request_;
  DocumentReader::Ids ids_;
  std::optional<sqlite::Lease> lease_;
};

// The class or a QueryError, as open_class().
const ClassInfo& class_or_throw(const Scope& scope, std::string_view name);

}  // namespace gantry::data
