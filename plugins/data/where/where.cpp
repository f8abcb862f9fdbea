#include "where/where.hpp"

#include "where/parser.hpp"
#include "where/refusal.hpp"

namespace gantry::data {
namespace {

using where::Json;

// A deep copy: RapidJSON's own copy would share strings that the caller's value refers to. Copying
// and comparing are recursive, so the depth is limited here.
Json copied(const Json& json, rapidjson::MemoryPoolAllocator<>& pool, int depth) {
  if (depth > where::kMaxJsonDepth) {
    where::refuse("The where is nested more than " + std::to_string(where::kMaxJsonDepth) +
                  " deep.");
  }
  if (json.IsString()) return Json(json.GetString(), json.GetStringLength(), pool);
  Json copy;
  if (json.IsArray()) {
    copy.SetArray().Reserve(json.Size(), pool);
    for (const Json& element : json.GetArray()) {
      copy.PushBack(copied(element, pool, depth + 1), pool);
    }
    return copy;
  }
  if (!json.IsObject()) return std::move(copy.CopyFrom(json, pool));
  copy.SetObject();
  for (const auto& [name, value] : json.GetObject()) {
    copy.AddMember(copied(name, pool, depth + 1), copied(value, pool, depth + 1), pool);
  }
  return copy;
}

}  // namespace

Outcome<Fragment> compile_where(const rapidjson::Value& json, const ClassInfo& cls,
                                const Scope& scope, const WhereOptions& options) {
  return compile_where(json, cls, scope, options, {});
}

Outcome<Fragment> compile_where(const rapidjson::Value& json, const ClassInfo& cls,
                                const Scope& scope, const WhereOptions& options,
                                const AskDocuments& ask) {
  try {
    auto source = std::make_shared<where::Source>();
    source->where = copied(json, source->pool, 0);
    where::Budget budget;
    const where::Context context{cls, scope, options, source, budget, ask ? &ask : nullptr};
    const where::Node root = where::Parser(context).root(source->where, 0);
    if (root.children.empty()) return Fragment{};
    return where::emit(root, source);
  } catch (where::Refusal& refusal) {
    return std::move(refusal.error);
  }
}

}  // namespace gantry::data
