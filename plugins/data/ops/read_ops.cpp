#include "ops/read_ops.hpp"

#include <algorithm>
#include <unordered_map>

#include "ops/row_reader.hpp"
#include "ops/scan.hpp"
#include "ops/too_large.hpp"
#include "rows/object_id.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::int64_t kDefaultLimit = 100, kMaxLimit = 1000;
constexpr std::int64_t kDefaultSamples = 5, kMaxSamples = 20;
constexpr std::size_t kMaxIds = 50;
constexpr std::int64_t kMaxSkip = std::int64_t{1} << 53;

std::string quoted(std::string_view text) {
  std::string json;
  if (!append_json_string(text, json)) json = "\"?\"";
  return json;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string json = "[";
  for (const std::string& name : names) json += (json.size() > 1 ? "," : "") + quoted(name);
  return json += ']';
}

// A query's answer while it is made smaller until it fits.
struct Fitted {
  Rows rows;
  std::size_t original = 0;  // rows the query gave, at most `limit`
  std::vector<std::string> dropped_fields;
  bool rows_dropped = false;
};

// How many of the rows fit the room, and whether one does.
std::size_t rows_that_fit(const Rows& rows, std::size_t room) {
  const auto end = std::upper_bound(rows.ends.begin(), rows.ends.end(), room);
  return static_cast<std::size_t>(end - rows.ends.begin());
}

// First the heaviest field goes, then trailing rows; further fields only while not one row fits.
Outcome<Fitted> read_fitting(const Request& request, RowReader& reader, Selection selection,
                             const Shape& shape, std::size_t limit) {
  const std::size_t room = room_for_rows(request);
  Fitted fitted;
  for (bool first = true;; first = false) {
    // One byte more than the room tells "too large" from "just fits".
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

std::string truncation(const Fitted& fitted, std::int64_t skip) {
  const std::size_t kept = fitted.rows.kept();
  std::string json = R"({"reason":"response_exceeded_max_bytes","dropped_fields":)" +
                     quoted_list(fitted.dropped_fields) + R"(,"kept_count":)" +
                     std::to_string(kept) + R"(,"original_count":)" +
                     std::to_string(fitted.original);
  std::string hint = "Name the fields you need in keys";
  if (!fitted.dropped_fields.empty()) hint += "; dropped fields can be read with get_object";
  if (fitted.rows_dropped) {
    json += R"(,"next_skip":)" + std::to_string(skip + static_cast<std::int64_t>(kept));
    hint += "; go on with skip = next_skip";
  }
  return json + R"(,"hint":)" + quoted(hint) + "}";
}

Outcome<Rows> read_whole(const Request& request, const Selection& selection, const Shape& shape,
                         bool with_ids) {
  auto lease = request.store.lease(request.budget);
  if (!lease) return store_error(lease.status());
  RowReader reader(request, *lease);
  auto rows = reader.read(selection, shape, with_ids, room_for_rows(request));
  if (!rows) return rows.error();
  if (rows->kept() < rows->count || rows->bytes > room_for_rows(request)) {
    return response_too_large(request, *rows);
  }
  return rows;
}

DataError no_such_object(const ClassInfo& cls, std::string_view id, std::string_view hint) {
  std::string message = "No object with id '" + std::string(id.substr(0, 256)) + "' in class '" +
                        cls.name + "'" + (hint.empty() ? "" : ". ") + std::string(hint);
  return {std::string(error_code::kNotFound), std::move(message), {}, {}, {}, {}};
}

// An id that cannot be one of this class names no object, whatever its keys are made of; only a
// class without ids is no place to ask for one.
DataError no_id(const ClassInfo& cls, std::string_view id, const Status& status) {
  if (cls.id_form == IdForm::none) return invalid_argument(status.message());
  return no_such_object(cls, id, status.message());
}

// Requested ids, each once, in order.
Outcome<std::vector<std::string_view>> distinct_ids(const Request& request) {
  auto ids = optional_strings(request, "ids");
  if (!ids) return ids.error();
  std::vector<std::string_view> distinct;
  for (const std::string_view id : *ids) {
    if (std::find(distinct.begin(), distinct.end(), id) == distinct.end()) distinct.push_back(id);
  }
  if (distinct.empty()) return invalid_argument("'ids' must name at least one id");
  if (distinct.size() > kMaxIds) {
    return invalid_argument("'ids' has " + std::to_string(distinct.size()) +
                            " distinct ids; at most " + std::to_string(kMaxIds) + " fit one call");
  }
  return distinct;
}

}  // namespace

Outcome<Reply> query(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
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
  shape.order = std::move(*order);
  shape.limit = *limit + 1;  // one more tells whether there is more
  shape.skip = *skip;

  auto lease = request.store.lease(request.budget);
  if (!lease) return store_error(lease.status());
  const auto read = static_cast<std::uint64_t>(*skip + *limit + 1);
  auto refused =
      refused_scan(request, *lease, **cls, query_sql(**cls, shape.where, shape.order, shape.limit),
                   {!shape.where.empty(), read});
  if (refused) return std::move(*refused);
  RowReader reader(request, *lease);
  const auto wanted = static_cast<std::size_t>(*limit);
  auto fitted = read_fitting(request, reader, std::move(*selection), shape, wanted);
  if (!fitted) return fitted.error();
  const bool more = fitted->rows.count > wanted;
  fitted->rows.truncate(wanted);

  const std::size_t kept = fitted->rows.kept();
  const bool truncated = fitted->rows_dropped || !fitted->dropped_fields.empty();
  Reply reply;
  reply.meta = R"({"result_count":)" + std::to_string(kept) + R"(,"pagination":{"limit":)" +
               std::to_string(*limit) + R"(,"skip":)" + std::to_string(*skip) + R"(,"has_more":)" +
               (more || fitted->rows_dropped ? "true}" : "false}");
  if (truncated) reply.meta += R"(,"_truncated":)" + truncation(*fitted, *skip);
  reply.meta += '}';
  reply.rows = std::move(fitted->rows.text);
  reply.rows += ']';
  return reply;
}

Outcome<Reply> count(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  auto where = requested_where(request, **cls);
  if (!where) return where.error();
  Fragment sql;
  sql.add("SELECT count(*) FROM ").add((*cls)->table);
  if (!where->empty()) sql.add(" WHERE ").add(*where);
  auto lease = request.store.lease(request.budget);
  if (!lease) return store_error(lease.status());
  auto refused = refused_scan(request, *lease, **cls, sql, {});
  if (refused) return std::move(*refused);
  auto statement = lease->prepare(sql);
  if (!statement) return statement_error(statement.status());
  const bool row = statement->next();
  if (!statement->status()) return statement_error(statement->status());
  Reply reply;
  reply.meta = R"({"count":)" + std::to_string(row ? statement->integer(0) : 0) + "}";
  return reply;
}

Outcome<Reply> get(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
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
  auto ids = distinct_ids(request);
  if (!ids) return ids.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  Shape shape;
  for (const std::string_view id : *ids) {
    auto parts = parse_object_id(**cls, id);
    if (!parts && (*cls)->id_form == IdForm::none) return no_id(**cls, id, parts.status());
    if (!parts) continue;  // missing, as below
    shape.where.add(shape.where.empty() ? "(" : " OR ").add(id_condition(*parts));
  }
  shape.where.add(shape.where.empty() ? "0" : ")");
  auto rows = read_whole(request, *selection, shape, true);
  if (!rows) return rows.error();
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < rows->kept(); ++i) at.emplace(rows->ids[i], i);
  Reply reply;
  reply.rows = "{";
  std::vector<std::string> missing;
  for (const std::string_view id : *ids) {
    const auto it = at.find(id);
    if (it == at.end()) {
      missing.emplace_back(id);
      continue;
    }
    if (reply.rows.size() > 1) reply.rows += ',';
    reply.rows += quoted(id) + ":";
    reply.rows += rows->object(it->second);
  }
  reply.rows += '}';
  reply.meta = R"({"missing":)" + quoted_list(missing) + R"(,"requested":)" +
               std::to_string(ids->size()) + R"(,"found":)" +
               std::to_string(ids->size() - missing.size()) + "}";
  return reply;
}

Outcome<Reply> samples(const Request& request) {
  auto cls = requested_class(request);
  if (!cls) return cls.error();
  auto limit = optional_integer(request, "limit", kDefaultSamples, 1, kMaxSamples);
  if (!limit) return limit.error();
  auto selection = select_fields(request, **cls);
  if (!selection) return selection.error();
  Shape shape;
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
