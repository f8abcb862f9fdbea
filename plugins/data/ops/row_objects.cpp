// The rows of a class with columns.
#include <algorithm>

#include "errors/query_error.hpp"
#include "ops/objects.hpp"
#include "ops/too_large.hpp"
#include "plan/scan.hpp"
#include "sql/compose.hpp"
#include "sql/row_order.hpp"
#include "view/object_id.hpp"

namespace gantry::data {
namespace {

// Drops the heaviest field, then trailing rows; further fields only if not even one row fits.
Fitted read_fitting(const Request& request, RowReader& reader, Selection selection,
                    const Clauses& clauses, std::size_t limit) {
  const std::size_t room = request.room_for_rows();
  Fitted fitted;
  for (bool first = true;; first = false) {
    // Bounds the rows kept in memory; the rows that fit the answer are chosen below.
    fitted.rows = reader.read(selection, clauses, false, first ? room : 4 * room);
    fitted.original = std::min(limit, fitted.rows.count);
    const bool whole = fitted.rows.kept() == fitted.rows.count && fitted.rows.bytes <= room;
    if (whole) return fitted;
    const std::size_t fits = std::min(rows_that_fit(fitted.rows, room), limit);
    if (!first && fits > 0) {
      fitted.rows_dropped = fits < fitted.original;
      fitted.rows.truncate(fits);
      return fitted;
    }
    const std::string heaviest = heaviest_field(fitted.rows);
    if (heaviest.empty()) {
      fitted.rows_dropped = fits < fitted.original;
      fitted.rows.truncate(fits);
      return fitted;
    }
    selection = selection.without(heaviest);
    fitted.dropped_fields.push_back(heaviest);
  }
}

class RowObjects final : public Objects {
 public:
  RowObjects(const Request& request, const ClassView& cls) : request_(request), cls_(cls) {}

  ObjectPage page(std::int64_t limit, std::int64_t skip) override {
    Selection selection = select_fields(request_, cls_);
    const auto wanted = static_cast<std::size_t>(limit);
    // One more, to detect further rows.
    Clauses clauses{requested_where(request_, cls_), requested_order(request_, cls_),
                    static_cast<std::uint64_t>(skip), wanted + 1};
    const LeasePtr lease = lease_as_seen(request_);
    refuse_scan(request_, *lease, cls_, clauses, ScanBound::of(clauses));
    RowReader reader(*lease);
    ObjectPage page{read_fitting(request_, reader, std::move(selection), clauses, wanted)};
    page.has_more = page.fitted.rows.count > wanted;
    page.fitted.rows.truncate(wanted);
    return page;
  }

  std::int64_t count() override {
    const Clauses clauses{requested_where(request_, cls_), {}, 0, {}};
    const Fragment sql = count_rows(cls_, clauses);
    const LeasePtr lease = lease_as_seen(request_);
    refuse_scan(request_, *lease, cls_, sql, {false, {}, clauses.where.is_never()});
    const CursorPtr cursor = prepared(*lease, sql);
    const bool has_row = cursor->next();
    check_end(*cursor);
    return has_row ? cursor->row()[0].integer : 0;
  }

  Rows with_ids(const std::vector<std::string_view>& ids) override {
    const Selection selection = select_fields(request_, cls_);
    std::vector<Predicate> any;
    for (const std::string_view id : ids) {
      auto parts = parse_object_id(cls_, id);
      if (!parts && cls_.id_form == IdForm::none) {
        throw QueryError(invalid_argument(parts.message()));
      }
      if (parts) any.push_back({id_condition(*parts), {}});
    }
    if (any.empty()) return {};
    return read_whole(selection, {any_of(any), {}, 0, {}}, true);
  }

  std::string flaw_of(std::string_view id) const override {
    return parse_object_id(cls_, id).message();
  }

  Rows first(std::int64_t limit) override {
    const Selection selection = select_fields(request_, cls_);
    Clauses clauses;
    clauses.order = settled_order(cls_, {});
    clauses.limit = static_cast<std::uint64_t>(limit);
    return read_whole(selection, clauses, false);
  }

 private:
  Rows read_whole(const Selection& selection, const Clauses& clauses, bool with_ids) const {
    const LeasePtr lease = lease_as_seen(request_);
    const std::size_t room = request_.room_for_rows();
    Rows rows = RowReader(*lease).read(selection, clauses, with_ids, room);
    if (rows.kept() < rows.count || rows.bytes > room) {
      throw QueryError(response_too_large(request_, rows));
    }
    return rows;
  }

  const Request& request_;
  const ClassView& cls_;
};

}  // namespace

std::unique_ptr<Objects> row_objects(const Request& request, const ClassView& cls) {
  return std::make_unique<RowObjects>(request, cls);
}

}  // namespace gantry::data
