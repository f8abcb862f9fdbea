#include "compile/keywords.hpp"

namespace gantry::schema::detail {
namespace {

std::uint32_t clamped(const Json* count, std::uint32_t otherwise) {
  if (count == nullptr) return otherwise;
  const double n = count->GetDouble();
  return n < kNone ? static_cast<std::uint32_t>(n) : kNone - 1;
}

}  // namespace

// Operands of counts: a. prefixItems: a, b are first and count in Program::children. items: a is
// the node, b the first element it applies to. contains: a is the node, b and c the minimum and
// maximum number of matches (c is kNone for no limit).
void array_keywords(Assembler& assembler, Site& site) {
  site.emit_count(kArrays, "minItems", Code::kMinItems);
  site.emit_count(kArrays, "maxItems", Code::kMaxItems);
  const Json* prefix = find(site.schema, "prefixItems");
  if (prefix != nullptr) site.emit(kArrays, assembler.list_op(Code::kPrefixItems, *prefix));
  if (const Json* items = find(site.schema, "items")) {
    const std::uint32_t from = prefix != nullptr ? prefix->Size() : 0;
    site.emit(kArrays, {Code::kItems, assembler.node_of(*items), from, 0});
  }
  if (const Json* contains = find(site.schema, "contains")) {
    site.emit(kArrays, {Code::kContains, assembler.node_of(*contains),
                        clamped(find(site.schema, "minContains"), 1),
                        clamped(find(site.schema, "maxContains"), kNone)});
  }
  const Json* unique = find(site.schema, "uniqueItems");
  if (unique != nullptr && unique->IsTrue()) site.emit(kArrays, {Code::kUniqueItems, 0, 0, 0});
  if (const Json* rest = find(site.schema, "unevaluatedItems")) {
    site.node.unevaluated_items = assembler.node_of(*rest);
  }
}

}  // namespace gantry::schema::detail
