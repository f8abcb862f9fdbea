#include "ops/read_ops.hpp"

#include <algorithm>
#include <unordered_map>

#include "ops/document_ops.hpp"
#include "ops/page.hpp"
#include "ops/pipeline_run.hpp"
#include "ops/read_arguments.hpp"
#include "ops/row_reader.hpp"
#include "ops/scan.hpp"
#include "ops/too_large.hpp"
#include "rows/object_id.hpp"
#include "sql/row_order.hpp"

namespace gantry::data {
namespace {

// Drops the heaviest field, then trailing rows; further fields only if not even one row fits.
Outcome<Fitted> read_fitting(const Request& request, RowReader& reader, Selection selection,
                             const Shape& shape, std::size_t limit) {
  const std::size_t room = room_for_rows(request);
  Fitted fitted;
  for (bool first = true;; first = false) {
    // Bounds the rows kept in memory; the rows that fit the answer are chosen below.
    auto rows = reader.read(selection, shape, false, first ? room : 4 * room);
    if (!rows) return rows.error();
    fitted.rows = std::move(*rows);
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

Outcome<Rows> read_whole(const Request& request, const Selection& selection, const Shape& shape,
                         bool with_ids) {
  auto lease = request.store.lease_as_seen(request.budget);
  if (!lease) return store_error(lease.status());
  RowReader reader(request, **lease);
  auto rows = reader.read(selection, shape, with_ids, room_for_rows(request));
  if (!rows) return rows.error();
  if (rows->kept() < rows->count || rows->bytes > room_for_rows(request)) {
    return response_too_large(request, *rows);
  }
  return rows;
}

// An id of a wrong form is reported as a missing object, whatever the key's type. Only for a class
// without ids is the argument itself invalid.
DataError no_id(const ClassInfo& cls, std::string_view id, const Status& status) {
  if (cls.id_form == IdForm::none) return invalid_argument(status.message());
  return no_such_object(cls, id, status.message());
}

}  // namespace

Outcome<Reply> query(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  if (!(*cls)->document.empty()) return answer_or_error(request, query_documents);
  auto limit = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit);
  if (!limit) return limit.error();
  auto skip = optional_integer(request, "skip", 0, 0, kMaxSkip);
  if (!skip) return skip.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  Shape shape;
  auto where = requested_where(request, **cls);
  if (!where) return where.error();
  shape.where = std::move(*where);
  auto order_text = optional_string(request, "order");
  if (!order_text) return order_text.error();
  auto order = compile_order(*order_text, **cls, request.scope, {});
  if (!order) return of_argument(order.error());
  shape.order = settled_order(**cls, std::move(*order));
  shape.limit = *limit + 1;  // one more, to detect further rows
  shape.skip = *skip;

  auto lease = request.store.lease_as_seen(request.budget);
  if (!lease) return store_error(lease.status());
  const auto read = static_cast<std::uint64_t>(*skip + *limit + 1);
  const auto sql = [&](const Fragment& by) {
    return query_sql(**cls, shape.where, by, shape.limit);
  };
  auto refused =
      refused_scan(request, **lease, {**cls, sql, {!shape.where.empty(), read}}, shape.order);
  if (refused) return std::move(*refused);
  RowReader reader(request, **lease);
  const auto wanted = static_cast<std::size_t>(*limit);
  auto fitted = read_fitting(request, reader, std::move(*selection), shape, wanted);
  if (!fitted) return fitted.error();
  const bool more = fitted->rows.count > wanted;
  fitted->rows.truncate(wanted);

  return page_reply(std::move(*fitted), *limit, *skip, more);
}

Outcome<Reply> count(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  if (!(*cls)->document.empty()) return answer_or_error(request, count_documents);
  auto where = requested_where(request, **cls);
  if (!where) return where.error();
  Fragment sql;
  sql.add("SELECT count(*) FROM ").add((*cls)->table);
  if (!where->empty()) sql.add(" WHERE ").add(*where);
  auto lease = request.store.lease_as_seen(request.budget);
  if (!lease) return store_error(lease.status());
  auto refused = refused_scan(request, **lease, **cls, sql, {});
  if (refused) return std::move(*refused);
  auto cursor = (*lease)->prepare(sql);
  if (!cursor) return statement_error(cursor.status());
  const bool has_row = (*cursor)->next();
  if (!(*cursor)->status()) return statement_error((*cursor)->status());
  Reply reply;
  reply.meta = R"({"count":)" + std::to_string(has_row ? (*cursor)->row()[0].integer : 0) + "}";
  return reply;
}

Outcome<Reply> get(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  if (!(*cls)->document.empty()) return answer_or_error(request, get_document);
  auto id = required_string(request, "object_id");
  if (!id) return id.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  auto parts = parse_object_id(**cls, *id);
  if (!parts) return no_id(**cls, *id, parts.status());
  Shape shape;
  shape.where = id_condition(*parts);
  shape.limit = 1;
  auto rows = read_whole(request, *selection, shape, false);
  if (!rows) return rows.error();
  if (rows->kept() == 0) {
    return no_such_object(**cls, *id, {});
  }
  Reply reply;
  reply.meta = "{}";
  reply.rows = rows->object(0);
  return reply;
}

Outcome<Reply> get_many(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  if (!(*cls)->document.empty()) return answer_or_error(request, get_documents);
  auto ids = distinct_ids(request);
  if (!ids) return ids.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  Shape shape;
  for (const std::string_view id : *ids) {
    auto parts = parse_object_id(**cls, id);
    if (!parts && (*cls)->id_form == IdForm::none) return no_id(**cls, id, parts.status());
    if (!parts) continue;  // reported as missing, like absent objects
    shape.where.add(shape.where.empty() ? "(" : " OR ").add(id_condition(*parts));
  }
  shape.where.add(shape.where.empty() ? "0" : ")");
  auto rows = read_whole(request, *selection, shape, true);
  if (!rows) return rows.error();
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < rows->kept(); ++i) at.emplace(rows->ids[i], i);
  return objects_reply(*ids, [&](std::string_view id) {
    const auto it = at.find(id);
    return it == at.end() ? std::string_view() : rows->object(it->second);
  });
}

Outcome<Reply> samples(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  if (!(*cls)->document.empty()) return answer_or_error(request, sample_documents);
  auto limit = optional_integer(request, "limit", kDefaultSamples, 1, kMaxSamples);
  if (!limit) return limit.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  Shape shape;
  shape.order = settled_order(**cls, {});
  shape.limit = *limit;
  auto rows = read_whole(request, *selection, shape, false);
  if (!rows) return rows.error();
  Reply reply;
  reply.meta = "{}";
  reply.rows = std::move(rows->text);
  reply.rows += ']';
  return reply;
}

}  // namespace gantry::data
