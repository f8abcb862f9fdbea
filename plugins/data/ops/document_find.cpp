#include "ops/document_find.hpp"

#include <limits>
#include <map>
#include <set>

#include "ops/document_ids.hpp"
#include "ops/document_near.hpp"
#include "ops/selection.hpp"

namespace gantry::data {
namespace {

constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

// A key below another requested key is redundant.
bool is_below(std::string_view key, const std::set<std::string_view>& keys) {
  for (auto dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.', dot + 1)) {
    if (keys.count(key.substr(0, dot)) > 0) return true;
  }
  return false;
}

// The operand of a $project; missing if there are no keys.
Value projection_of(const std::vector<std::string_view>& keys) {
  if (keys.empty()) return {};
  std::set<std::string_view> names(keys.begin(), keys.end());
  names.insert({"_id", "objectId", "createdAt", "updatedAt"});
  ObjectBuilder spec;
  for (const std::string_view name : names) {
    if (!is_below(name, names)) spec.add(std::string(name), Value::int32(1));
  }
  return spec.build();
}

void add_projection(const std::vector<std::string_view>& keys, Array& stages) {
  Value spec = projection_of(keys);
  if (!spec.is_missing()) stages.push_back(object_of("$project", std::move(spec)));
}

void add_bounds(std::int64_t skip, std::int64_t limit, Array& stages) {
  if (skip > 0) stages.push_back(object_of("$skip", Value::int64(skip)));
  if (limit >= 0) stages.push_back(object_of("$limit", Value::int64(limit)));
}

Pipeline over(const ClassView& cls, Array stages) {
  Pipeline pipeline;
  pipeline.cls = &cls;
  pipeline.stages = Value::array(std::move(stages));
  pipeline.shows_ids = true;
  return pipeline;
}

}  // namespace

void add_sort(std::string_view order, Array& stages) {
  ObjectBuilder keys;
  std::set<std::string_view> seen;
  for (const OrderKey& key : read_order(order)) {
    const std::string_view name = key.name == "objectId" ? "_id" : key.name;
    if (!seen.insert(name).second) continue;
    keys.add(std::string(name), Value::int32(key.descending ? -1 : 1));
  }
  if (!seen.empty()) stages.push_back(object_of("$sort", keys.build()));
}

bool is_near(const Finding& finding) {
  return !finding.where.is_missing() && filter::near_of(finding.where) != nullptr;
}

Pipeline finding_pipeline(const ClassView& cls, const Finding& finding) {
  Array stages;
  if (!finding.where.is_missing()) stages.push_back(object_of("$match", finding.where));
  add_sort(finding.order, stages);
  add_bounds(finding.skip, finding.limit, stages);
  add_projection(finding.keys, stages);
  return over(cls, std::move(stages));
}

Documents find_documents(const Request& request, const ClassView& cls, const Finding& finding) {
  if (!finding.where.is_missing()) {
    const auto near = filter::near_of(finding.where);
    if (near) return find_near(request, cls, finding, *near, projection_of(finding.keys));
  }
  return run_pipeline(request, finding_pipeline(cls, finding), kNoBound);
}

std::int64_t count_found(const Request& request, const ClassView& cls, const Value& where) {
  Array stages;
  if (!where.is_missing()) stages.push_back(object_of("$match", where));
  stages.push_back(object_of("$count", Value::string("n")));
  const Documents counted = run_pipeline(request, over(cls, std::move(stages)));
  return counted.list.empty() ? 0 : counted.list.front().find("n").integer();
}

Array find_by_ids(const Request& request, const ClassView& cls,
                  const std::vector<std::string_view>& ids,
                  const std::vector<std::string_view>& keys) {
  Array wanted;
  for (const std::string_view id : ids) wanted.push_back(Value::string(std::string(id)));
  Array stages{object_of("$match", object_of("objectId", object_of("$in", Value::array(wanted))))};
  add_projection(keys, stages);
  Pipeline pipeline = over(cls, std::move(stages));
  pipeline.where.plain = documents_with_ids(cls, ids);
  // Reading one object is not refused as a full scan, even where it reads all rows.
  Request by_id = request;
  by_id.settings.refuse_collscan = false;
  const Documents all = run_pipeline(by_id, pipeline, kNoBound);
  std::map<std::string_view, std::size_t> at;  // by objectId
  Array found;
  for (const Value& document : all.list) {
    const std::string_view id = document.find("objectId").text();
    const auto [known, is_new] = at.emplace(id, found.size());
    if (is_new) {
      found.push_back(document);
    } else if (document.find("_id").is_string() && !found[known->second].find("_id").is_string()) {
      found[known->second] = document;
    }
  }
  return found;
}

}  // namespace gantry::data
