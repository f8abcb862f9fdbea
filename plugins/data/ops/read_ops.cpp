#include "ops/read_ops.hpp"

#include <unordered_map>

#include "errors/query_error.hpp"
#include "ops/change/versions.hpp"
#include "ops/objects.hpp"
#include "ops/read_arguments.hpp"
#include "rows/class_reader.hpp"

namespace gantry::data {

std::unique_ptr<Objects> objects_of(const Request& request, const Read& read) {
  return by_storage(
      *read.view, [&] { return row_objects(request, read); },
      [&] { return document_objects(request, read); });
}

Reply query(const Request& request, bool with_nulls) {
  Read read = requested_read(request);
  const auto wanted = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit);
  const auto limit =
      static_cast<std::int64_t>(capped_rows(request, static_cast<std::uint64_t>(wanted)));
  const auto skip = optional_integer(request, "skip", 0, 0, kMaxSkip);
  read.order = optional_string(request, "order");
  read.skip = static_cast<std::uint64_t>(skip);
  read.limit = static_cast<std::uint64_t>(limit) + 1;  // one more, to detect further objects
  read.shape = requested_shape(request);
  read.shape.with_nulls = with_nulls;
  const auto objects = objects_of(request, read);
  ObjectPage page = objects->page(static_cast<std::size_t>(limit));
  page.fitted.truncated_includes = objects->truncated_includes();
  return page_reply(request, std::move(page.fitted), limit, skip, page.has_more);
}

Reply query(const Request& request) { return query(request, false); }

Reply count(const Request& request) {
  const auto counted = count_objects(request, requested_read(request));
  return {{}, R"({"count":)" + std::to_string(counted) + "}"};
}

namespace {

// Of the whole object, whatever part of it was asked for. Read before the object that is answered:
// a version older than that object has a later write refused, a newer one would let it pass.
std::string version_by_id(const Request& request, const Read& one) {
  Request plainly = request;
  plainly.settings.row_form = JsonDialect::plain;
  Read read = one;
  read.shape = {};
  const auto objects = objects_of(plainly, read);
  const Rows rows = objects->all();
  const std::string_view id = one.ids->front();
  if (rows.kept() == 0) throw QueryError(no_such_object(*one.view, id, objects->flaw_of(id)));
  return version_of(rows.object(0));
}

}  // namespace

Reply get(const Request& request) {
  Read read = requested_read(request);
  const std::string_view id = required_string(request, "object_id");
  read.ids = {id};
  read.shape = requested_shape(request);
  const bool has_version = optional_flag(request, "version", false);
  const std::string version = has_version ? version_by_id(request, read) : "";
  const auto objects = objects_of(request, read);
  const Rows rows = objects->all();
  // An id of a wrong form is reported as a missing object, whatever the key's type.
  if (rows.kept() == 0) throw QueryError(no_such_object(*read.view, id, objects->flaw_of(id)));
  std::string meta = objects->truncated_includes();
  if (has_version) meta += R"(,"version":")" + version + '"';
  return {std::string(rows.object(0)), meta.empty() ? "{}" : "{" + meta.substr(1) + "}"};
}

Reply get_many(const Request& request) {
  Read read = requested_read(request);
  const auto ids = distinct_ids(request);
  read.ids = ids;
  read.shape = requested_shape(request);
  const auto objects = objects_of(request, read);
  const Rows rows = objects->all();
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < rows.kept(); ++i) at.emplace(rows.ids[i], i);
  Reply reply = objects_reply(ids, [&](std::string_view id) {
    const auto known = at.find(id);
    const auto place = known != at.end() ? known->second : objects->place_of(id, rows.ids);
    return place ? rows.object(*place) : std::string_view();
  });
  reply.meta.insert(reply.meta.size() - 1, objects->truncated_includes());
  return reply;
}

Reply samples(const Request& request) {
  Read read = requested_read(request);
  const auto limit = optional_integer(request, "limit", kDefaultSamples, 1, kMaxSamples);
  read.limit = capped_rows(request, static_cast<std::uint64_t>(limit));
  read.shape = requested_shape(request);
  Rows rows = objects_of(request, read)->all();
  rows.text += ']';
  return {std::move(rows.text), "{}"};
}

}  // namespace gantry::data
