// The rows of a class with columns.
#include <algorithm>

#include "errors/query_error.hpp"
#include "ops/objects.hpp"
#include "ops/scan.hpp"
#include "ops/too_large.hpp"
#include "rows/object_id.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

// Drops the heaviest field, then trailing rows; further fields only if not even one row fits.
Fitted read_fitting(const Request& request, RowReader& reader, Selection selection,
                    const Shape& shape, std::size_t limit) {
  const std::size_t room = room_for_rows(request);
  Fitted fitted;
  for (bool first = true;; first = false) {
    // Bounds the rows kept in memory; the rows that fit the answer are chosen below.
    fitted.rows = value_or_throw(reader.read(selection, shape, false, first ? room : 4 * room));
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

void refuse(std::optional<DataError> error) {
  if (error) throw QueryError(std::move(*error));
}

class RowObjects final : public Objects {
 public:
  RowObjects(const Request& request, const ClassInfo& cls) : request_(request), cls_(cls) {}

  ObjectPage page(std::int64_t limit, std::int64_t skip) override {
    Selection selection = value_or_throw(select_fields(request_, cls_));
    Shape shape;
    shape.where = value_or_throw(requested_where(request_, cls_));
    shape.order = settled_order(cls_, requested_order());
    shape.limit = limit + 1;  // one more, to detect further rows
    shape.skip = skip;
    const LeasePtr lease = leased();
    const auto read = static_cast<std::uint64_t>(skip + limit + 1);
    const auto sql = [&](const Fragment& by) {
      return query_sql(cls_, shape.where, by, shape.limit);
    };
    refuse(refused_scan(request_, *lease, {cls_, sql, {!shape.where.empty(), read}}, shape.order));
    RowReader reader(request_, *lease);
    const auto wanted = static_cast<std::size_t>(limit);
    ObjectPage page{read_fitting(request_, reader, std::move(selection), shape, wanted)};
    page.has_more = page.fitted.rows.count > wanted;
    page.fitted.rows.truncate(wanted);
    return page;
  }

  std::int64_t count() override {
    const Fragment where = value_or_throw(requested_where(request_, cls_));
    Fragment sql;
    sql.add("SELECT count(*) FROM ").add(cls_.table);
    if (!where.empty()) sql.add(" WHERE ").add(where);
    const LeasePtr lease = leased();
    refuse(refused_scan(request_, *lease, cls_, sql, {}));
    auto cursor = lease->prepare(sql);
    if (!cursor) throw QueryError(statement_error(cursor.status()));
    const bool has_row = (*cursor)->next();
    if (!(*cursor)->status()) throw QueryError(statement_error((*cursor)->status()));
    return has_row ? (*cursor)->row()[0].integer : 0;
  }

  Rows with_ids(const std::vector<std::string_view>& ids) override {
    const Selection selection = value_or_throw(select_fields(request_, cls_));
    Shape shape;
    for (const std::string_view id : ids) {
      auto parts = parse_object_id(cls_, id);
      if (!parts && cls_.id_form == IdForm::none) {
        throw QueryError(invalid_argument(parts.message()));
      }
      if (!parts) continue;
      shape.where.add(shape.where.empty() ? "(" : " OR ").add(id_condition(*parts));
    }
    if (shape.where.empty()) return {};
    shape.where.add(")");
    return read_whole(selection, shape, true);
  }

  std::string flaw_of(std::string_view id) const override {
    return parse_object_id(cls_, id).message();
  }

  Rows first(std::int64_t limit) override {
    const Selection selection = value_or_throw(select_fields(request_, cls_));
    Shape shape;
    shape.order = settled_order(cls_, {});
    shape.limit = limit;
    return read_whole(selection, shape, false);
  }

 private:
  LeasePtr leased() const {
    auto lease = request_.store.lease_as_seen(request_.budget);
    if (!lease) throw QueryError(store_error(lease.status()));
    return std::move(*lease);
  }

  Fragment requested_order() const {
    const std::string_view text = value_or_throw(optional_string(request_, "order"));
    auto order = compile_order(text, cls_, request_.scope, {});
    if (!order) throw QueryError(of_argument(order.error()));
    return std::move(*order);
  }

  Rows read_whole(const Selection& selection, const Shape& shape, bool with_ids) const {
    const LeasePtr lease = leased();
    const std::size_t room = room_for_rows(request_);
    Rows rows = value_or_throw(RowReader(request_, *lease).read(selection, shape, with_ids, room));
    if (rows.kept() < rows.count || rows.bytes > room) {
      throw QueryError(response_too_large(request_, rows));
    }
    return rows;
  }

  const Request& request_;
  const ClassInfo& cls_;
};

}  // namespace

std::unique_ptr<Objects> row_objects(const Request& request, const ClassInfo& cls) {
  return std::make_unique<RowObjects>(request, cls);
}

}  // namespace gantry::data
