// ops/row_reader.hpp: runs a read and converts its rows to JSON, with included objects in place of
// pointers.
//
// Rows are written with holes for included objects. The objects of one pointer field are then
// fetched together, a few hundred ids per statement, and inserted. Everything throws QueryError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ops/selection.hpp"
#include "plan/class_source.hpp"
#include "rows/row_printer.hpp"
#include "sql/select.hpp"

namespace gantry::data {

struct Rows {
  std::string text = "[";         // "[{…},{…}": the array without its end
  std::vector<std::size_t> ends;  // the end of each object in `text`
  std::vector<std::string> ids;   // of each object, when asked for
  std::size_t count = 0;          // rows of the statement, which may be more than those kept
  std::size_t bytes = 0;          // size of all `count` rows
  std::vector<std::pair<std::string, std::size_t>> weights;  // bytes by top-level field

  std::size_t kept() const { return ends.size(); }
  std::string_view object(std::size_t i) const {
    const std::size_t begin = i == 0 ? 1 : ends[i - 1] + 1;
    return std::string_view(text).substr(begin, ends[i] - begin);
  }
  // Drops all but the first `n` objects.
  void truncate(std::size_t n);
};

class RowReader {
 public:
  // Rows in the form of the request's settings. `source` is the connection of the read whose
  // clauses are read; it must outlive the reader.
  explicit RowReader(ClassSource& source)
      : source_(source), form_(source.context().settings.row_form) {}

  // Reads. Rows beyond `keep_bytes` are counted and weighed but not kept.
  Rows read(const Selection& selection, const Clauses& clauses, bool with_ids,
            std::size_t keep_bytes);

  // Receives a row's JSON; false stops the read.
  using Visit = std::function<bool(std::string_view object)>;
  // Calls `visit` for each row, with some hundred rows in memory at a time.
  void visit(const Selection& selection, const Clauses& clauses, const Visit& visit);

  // Receives a row; false stops the read.
  using VisitPlain = std::function<bool(const RowPrinter& printer, Row row)>;
  // The same for selections without includes and parts, whose rows the printer alone can write.
  void visit_plain(const Selection& selection, const Clauses& clauses, const VisitPlain& visit);

  using Objects = std::unordered_map<std::string, std::string>;  // id -> JSON
  // The objects with these ids, for inclusion. The class must have one-column ids.
  Objects fetch(const Selection& target, const std::vector<std::string>& ids);

 private:
  struct Hole;
  class HoleMaker;
  struct Scan;
  // The limits of one batch of next(), which has at least one row.
  struct Batch {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
  };
  std::unique_ptr<Scan> open(const Selection& selection, const Clauses& clauses);
  Rows next(Scan& scan, bool with_ids, std::size_t keep_bytes, const Batch& batch);
  Rows measure(const Selection& selection, const Clauses& clauses, const RowPrinter& printer);
  // Fetches the objects for the holes and inserts them; adds their bytes to `bytes` by entry.
  void fill(Rows& rows, const RowPrinter& printer, const Selection& selection,
            const std::vector<Hole>& holes, std::vector<std::size_t>& bytes);

  ClassSource& source_;
  const JsonDialect form_;
};

}  // namespace gantry::data
