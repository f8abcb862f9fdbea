#include "ops/document_ops.hpp"

#include <algorithm>
#include <unordered_map>

#include "ops/document_find.hpp"
#include "ops/document_include.hpp"
#include "ops/document_rows.hpp"
#include "ops/document_where.hpp"
#include "ops/page.hpp"
#include "ops/read_arguments.hpp"
#include "ops/too_large.hpp"

namespace gantry::data {
namespace {

const ClassInfo& class_of(const Request& request) {
  return *value_or_throw(requested_class(request));
}

Documents find(const Request& request, Finding finding) {
  const Including including = requested_include(request);
  finding.keys = including.keys;
  Documents found = find_documents(request, class_of(request), finding);
  include_pointers(request, including.paths, found.list);
  return found;
}

Array find_ids(const Request& request, const std::vector<std::string_view>& ids) {
  const Including including = requested_include(request);
  Array found = find_by_ids(request, class_of(request), ids, including.keys);
  include_pointers(request, including.paths, found);
  return found;
}

}  // namespace

Reply query_documents(const Request& request) {
  Finding finding;
  const std::int64_t limit =
      value_or_throw(optional_integer(request, "limit", kDefaultLimit, 1, kMaxLimit));
  finding.skip = value_or_throw(optional_integer(request, "skip", 0, 0, kMaxSkip));
  finding.limit = limit + 1;  // one more, to detect further rows
  finding.where = document_where(request);
  finding.order = value_or_throw(optional_string(request, "order"));
  Documents found = find(request, finding);
  const auto wanted = static_cast<std::size_t>(limit);
  const bool has_more = found.list.size() > wanted;
  if (has_more) found.list.resize(wanted);
  Fitted fitted = fit_documents(request, found.list);
  return page_reply(std::move(fitted), limit, finding.skip, has_more);
}

Reply count_documents(const Request& request) {
  Reply reply;
  reply.meta = R"({"count":)" +
               std::to_string(count_found(request, class_of(request), document_where(request))) +
               "}";
  return reply;
}

Reply get_document(const Request& request) {
  const ClassInfo& cls = class_of(request);
  const std::string_view id = value_or_throw(required_string(request, "object_id"));
  const Array found = find_ids(request, {id});
  if (found.empty()) throw QueryError(no_such_object(cls, id, {}));
  Reply reply;
  reply.rows = rows_of(request, found).object(0);
  reply.meta = "{}";
  return reply;
}

Reply get_documents(const Request& request) {
  const auto ids = value_or_throw(distinct_ids(request));
  const Array found = find_ids(request, ids);
  const Rows rows = rows_of(request, found);
  std::unordered_map<std::string_view, std::size_t> at;
  for (std::size_t i = 0; i < found.size(); ++i) {
    at.emplace(found[i].find("objectId").text(), i);
  }
  return objects_reply(ids, [&](std::string_view id) {
    const auto known = at.find(id);
    return known == at.end() ? std::string_view() : rows.object(known->second);
  });
}

Reply sample_documents(const Request& request) {
  Finding finding;
  finding.limit =
      value_or_throw(optional_integer(request, "limit", kDefaultSamples, 1, kMaxSamples));
  Rows rows = rows_of(request, find(request, finding).list);
  Reply reply;
  reply.rows = std::move(rows.text) + "]";
  reply.meta = "{}";
  return reply;
}

}  // namespace gantry::data
