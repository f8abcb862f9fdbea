// ops/row_reader.hpp: runs a read and makes its rows JSON, with pointers replaced by objects.
//
// Rows are written with holes where an included object goes; the objects of one pointer field are
// then fetched together, a few hundred ids a statement, and put in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ops/selection.hpp"
#include "rows/row_plan.hpp"

namespace gantry::data {

// What stands after FROM's table: conditions, order and bounds, each may be empty.
struct Shape {
  Fragment where, order;
  std::int64_t limit = -1, skip = 0;  // limit -1 = none
};

struct Rows {
  std::string text = "[";         // "[{…},{…}": the array without its end
  std::vector<std::size_t> ends;  // where each object ends in text
  std::vector<std::string> ids;   // of each object, when asked for
  std::size_t count = 0;          // rows the statement gave; those kept may be fewer
  std::size_t bytes = 0;          // of all `count` rows
  std::vector<std::pair<std::string, std::size_t>> weights;  // bytes by top-level field

  std::size_t kept() const { return ends.size(); }
  std::string_view object(std::size_t i) const {
    const std::size_t begin = i == 0 ? 1 : ends[i - 1] + 1;
    return std::string_view(text).substr(begin, ends[i] - begin);
  }
  // Keeps the first `n` objects.
  void truncate(std::size_t n);
};

class RowReader {
 public:
  // `lease` outlives the reader and is used by nobody else meanwhile.
  RowReader(const Request& request, sqlite::Lease& lease) : request_(request), lease_(lease) {}

  // Reads. Rows beyond `keep_bytes` are counted and weighed but not kept.
  Outcome<Rows> read(const Selection& selection, const Shape& shape, bool with_ids,
                     std::size_t keep_bytes);

  // Takes a row's JSON; false: no more are wanted.
  using Visit = std::function<bool(std::string_view object)>;
  // Reads and shows the rows, some hundred of them in memory at a time. The error, if any.
  std::optional<DataError> visit(const Selection& selection, const Shape& shape,
                                 const Visit& visit);

  // Takes the row on which the statement stands; false: no more are wanted.
  using VisitPlain = std::function<bool(const RowPlan& plan, sqlite3_stmt* row)>;
  // The same for selections without includes and without parts, whose rows the plan alone writes.
  std::optional<DataError> visit_plain(const Selection& selection, const Shape& shape,
                                       const VisitPlain& visit);

  using Objects = std::unordered_map<std::string, std::string>;  // id -> JSON
  // The objects with these ids, as included ones; the class has ids of one column.
  Outcome<Objects> fetch(const Selection& target, const std::vector<std::string>& ids);

 private:
  struct Hole;
  class HoleMaker;
  struct Scan;
  // Of what next() reads at once: a batch has at least one row.
  struct Batch {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
  };
  Outcome<std::unique_ptr<Scan>> open(const Selection& selection, const Shape& shape);
  Outcome<Rows> next(Scan& scan, bool with_ids, std::size_t keep_bytes, const Batch& batch);
  Outcome<Rows> measure(const Selection& selection, const Shape& shape, const RowPlan& plan);
  // Fetches what goes into the holes and puts it there; adds to `bytes` by entry. The error, if
  // any.
  std::optional<DataError> fill(Rows& rows, const RowPlan& plan, const Selection& selection,
                                const std::vector<Hole>& holes, std::vector<std::size_t>& bytes);

  const Request& request_;
  sqlite::Lease& lease_;
};

}  // namespace gantry::data
