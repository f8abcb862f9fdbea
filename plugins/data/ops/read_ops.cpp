#include "ops/read_ops.hpp"

#include <unordered_map>

#include "errors/query_error.hpp"
#include "ops/objects.hpp"
#include "ops/read_arguments.hpp"

namespace gantry::data {
std::unique_ptr<Objects> objects_of(const Request& request, const ClassView& cls) {
  return cls.is_document() ? document_objects(request, cls) : row_objects(request, cls);
}

Reply query(const Request& request) {
  const auto objects = objects_of(request, requested_class(request));
  const auto limit = optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit);
  const auto skip = optional_integer(request, "skip", 0, 0, kMaxSkip);
  ObjectPage page = objects->page(limit, skip);
  return page_reply(request, std::move(page.fitted), limit, skip, page.has_more);
}

Reply count(const Request& request) {
  const auto counted = objects_of(request, requested_class(request))->count();
  return {{}, R"({"count":)" + std::to_string(counted) + "}"};
}

Reply get(const Request& request) {
  const ClassView& cls = requested_class(request);
  const auto objects = objects_of(request, cls);
  const std::string_view id = required_string(request, "object_id");
  const Rows rows = objects->with_ids({id});
  // An id of a wrong form is reported as a missing object, whatever the key's type.
  if (rows.kept() == 0) throw QueryError(no_such_object(cls, id, objects->flaw_of(id)));
  return {std::string(rows.object(0)), "{}"};
}

Reply get_many(const Request& request) {
  const auto objects = objects_of(request, requested_class(request));
  const auto ids = distinct_ids(request);
  const Rows rows = objects->with_ids(ids);
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < rows.kept(); ++i) at.emplace(rows.ids[i], i);
  return objects_reply(ids, [&](std::string_view id) {
    const auto known = at.find(id);
    return known == at.end() ? std::string_view() : rows.object(known->second);
  });
}

Reply samples(const Request& request) {
  const auto objects = objects_of(request, requested_class(request));
  const auto limit = optional_integer(request, "limit", kDefaultSamples, 1, kMaxSamples);
  Rows rows = objects->first(limit);
  rows.text += ']';
  return {std::move(rows.text), "{}"};
}

}  // namespace gantry::data
