#include "compile.hpp"

namespace gantry::schema::detail {
namespace {

// Calls `visit` with every node that applies to the same instance as `node`.
template <class Visit>
void in_place(const Program& program, const Node& node, Visit visit) {
  for (std::uint32_t i = node.ends[kObjects]; i < node.ends[kGroups]; ++i) {
    const Op& op = program.ops[i];
    if (op.code == Code::kRef || op.code == Code::kNot || op.code == Code::kIf) visit(op.a);
    if (op.code == Code::kAllOf || op.code == Code::kAnyOf || op.code == Code::kOneOf) {
      for (std::uint32_t k = 0; k < op.b; ++k) visit(program.children[op.a + k]);
    }
    if (op.code == Code::kIf && op.b != kNone) visit(op.b);
    if (op.code == Code::kIf && op.c != kNone) visit(op.c);
    if (op.code == Code::kDependentSchemas) {
      for (std::uint32_t k = 0; k < op.b; ++k) visit(program.dependencies[op.a + k].first);
    }
  }
}

// RapidJSON's own copy would share the bytes of strings that were parsed in situ.
Json owned_copy(const Json& value, rapidjson::Document::AllocatorType& allocator) {
  if (value.IsString()) return Json(value.GetString(), value.GetStringLength(), allocator);
  if (value.IsArray()) {
    Json out(rapidjson::kArrayType);
    for (const Json& item : value.GetArray()) {
      out.PushBack(owned_copy(item, allocator), allocator);
    }
    return out;
  }
  if (!value.IsObject()) return Json(value, allocator);
  Json out(rapidjson::kObjectType);
  for (const auto& member : value.GetObject()) {
    out.AddMember(owned_copy(member.name, allocator), owned_copy(member.value, allocator),
                  allocator);
  }
  return out;
}

}  // namespace

Status Builder::build() {
  program_.literals.SetArray();
  for (std::uint32_t place = 0; place < index_.places().size(); ++place) {
    if (Status s = emit_node(place); !s) return s;
  }
  fill_dynamic_anchors();
  return refuse_loops();
}

Status Builder::emit_node(std::uint32_t place) {
  const Place& at = index_.places()[place];
  Site site{*at.schema, place, at.location, {}, {}};
  site.node.resource = at.resource;
  if (at.schema->IsFalse()) {
    site.node.types = 0;
    site.node.rejects_all = true;
  }
  if (at.schema->IsObject()) {
    types(site);
    numbers(site);
    constants(site);
    arrays(site);
    if (Status s = strings(site); !s) return s;
    if (Status s = objects(site); !s) return s;
    if (Status s = references(site); !s) return s;
    applicators(site);
  }
  finish_node(site);
  return Status::ok();
}

void Builder::finish_node(Site& site) {
  Node& node = site.node;
  for (std::size_t group = 0; group < kGroups; ++group) {
    node.ends[group] = static_cast<std::uint32_t>(program_.ops.size());
    const auto& ops = site.groups[group];
    program_.ops.insert(program_.ops.end(), ops.begin(), ops.end());
  }
  node.ends[kGroups] = static_cast<std::uint32_t>(program_.ops.size());
  node.accepts_all = node.types == kAnyType && node.ends[0] == node.ends[kGroups] &&
                     node.unevaluated_items == kNone && node.unevaluated_properties == kNone;
  program_.nodes.push_back(node);
  program_.locations.push_back(site.location);
}

void Builder::fill_dynamic_anchors() {
  const auto& resources = index_.resources();
  program_.dynamic_anchors.resize(anchor_numbers_.size());
  for (const auto& [name, number] : anchor_numbers_) {
    auto& table = program_.dynamic_anchors[number];
    table.assign(resources.size(), kNone);
    for (std::size_t r = 0; r < resources.size(); ++r) {
      const auto at = resources[r].dynamic_anchors.find(name);
      if (at != resources[r].dynamic_anchors.end()) table[r] = at->second;
    }
  }
}

// Refuses a schema that applies itself to the same instance, which would never end. Depth-first
// without recursion: a chain may contain all schemas of the document.
Status Builder::refuse_loops() const {
  enum Color : std::uint8_t { kNew, kOpen, kDone };
  std::vector<Color> colors(program_.nodes.size(), kNew);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t start = 0; start < colors.size(); ++start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const std::uint32_t node = stack.back();
      if (colors[node] != kNew) {
        colors[node] = kDone;
        stack.pop_back();
        continue;
      }
      colors[node] = kOpen;
      bool loop = false;
      in_place(program_, program_.nodes[node], [&](std::uint32_t next) {
        loop = loop || colors[next] == kOpen;
        if (colors[next] == kNew) stack.push_back(next);
      });
      if (loop) {
        return bad_schema(program_.locations[node],
                          "applies itself to the same value again and would never end");
      }
    }
  }
  return Status::ok();
}

Text Builder::store(std::string_view text) {
  const Text out{static_cast<std::uint32_t>(program_.text.size()),
                 static_cast<std::uint32_t>(text.size())};
  program_.text += text;
  return out;
}

std::uint32_t Builder::literal(const Json& value) {
  auto& allocator = program_.literals.GetAllocator();
  program_.literals.PushBack(owned_copy(value, allocator), allocator);
  return program_.literals.Size() - 1;
}

Op Builder::list_op(Code code, const Json& schemas) {
  const Op op{code, static_cast<std::uint32_t>(program_.children.size()), schemas.Size(), 0};
  for (const Json& schema : schemas.GetArray()) program_.children.push_back(node_of(schema));
  return op;
}

void Builder::count_op(Site& site, Group group, const char* keyword, Code code) {
  const Json* value = find(site.schema, keyword);
  if (value == nullptr) return;
  const Number n = Number::of(*value);
  Number top;
  top.i = kNone - 1;
  std::uint32_t bound = kNone - 1;
  if (compare(n, top) < 0) bound = static_cast<std::uint32_t>(value->GetDouble());
  site.emit(group, {code, bound, 0, 0});
}

}  // namespace gantry::schema::detail
