// Index: adds schemas. References are resolved in resolve.cpp.
#include <gantry/schema/metaschema.hpp>

#include "resolve.hpp"
#include "uri.hpp"

namespace gantry::schema::detail {

Status Index::add_root(const Json& root) {
  if (!is_schema(root)) return bad_schema("#", "must be a schema (an object, true or false)");
  resources_.push_back({"", &root, {}, {}});
  by_uri_.emplace("", 0);
  return add(root, 0, "#");
}

Status Index::add(const Json& schema, std::uint32_t resource, const std::string& location) {
  if (by_value_.contains(&schema)) return Status::ok();
  if (places_.size() >= max_schemas_) {
    return bad_schema(location,
                      "the document holds more than " + std::to_string(max_schemas_) + " schemas");
  }
  if (schema.IsObject()) {
    if (Status s = check_shapes(schema, location); !s) return s;
    if (const Json* id = find(schema, "$id")) {
      Result<std::uint32_t> own = add_resource(schema, *id, resource, location);
      if (!own) return own.status();
      resource = *own;
    }
  }
  const auto place = static_cast<std::uint32_t>(places_.size());
  places_.push_back({&schema, resource, location});
  by_value_.emplace(&schema, place);
  if (Status s = add_anchors(schema, place); !s) return s;
  return add_children(schema, resource, location);
}

Status Index::add_children(const Json& schema, std::uint32_t resource,
                           const std::string& location) {
  if (!schema.IsObject()) return Status::ok();
  for (const auto& member : schema.GetObject()) {
    const Shape shape = shape_of(view(member.name));
    const std::string inside = with_segment(location, view(member.name));
    Status s;
    if (shape == Shape::kSchema) {
      s = add(member.value, resource, inside);
    } else if (shape == Shape::kSchemas) {
      s = add_each(member.value, resource, inside);
    } else if (shape == Shape::kSchemasByName || shape == Shape::kSchemasByPattern) {
      s = add_named(member.value, resource, inside);
    }
    if (!s) return s;
  }
  return Status::ok();
}

Status Index::add_each(const Json& list, std::uint32_t resource, const std::string& location) {
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    if (Status s = add(list[i], resource, location + '/' + std::to_string(i)); !s) return s;
  }
  return Status::ok();
}

Status Index::add_named(const Json& map, std::uint32_t resource, const std::string& location) {
  for (const auto& member : map.GetObject()) {
    Status s = add(member.value, resource, with_segment(location, view(member.name)));
    if (!s) return s;
  }
  return Status::ok();
}

Result<std::uint32_t> Index::add_resource(const Json& schema, const Json& id, std::uint32_t parent,
                                          const std::string& location) {
  std::string uri = resolve_uri(resources_[parent].uri, split_fragment(view(id)).document);
  // The document itself was added without a name.
  if (&schema == resources_[parent].root && resources_[parent].uri.empty()) {
    resources_[parent].uri = uri;
    by_uri_.emplace(std::move(uri), parent);
    return parent;
  }
  const auto number = static_cast<std::uint32_t>(resources_.size());
  if (!by_uri_.emplace(uri, number).second) {
    return bad_schema(location, "another schema of the document has the $id '" + uri + "' too");
  }
  resources_.push_back({std::move(uri), &schema, {}, {}});
  return number;
}

Status Index::add_anchors(const Json& schema, std::uint32_t place) {
  Resource& resource = resources_[places_[place].resource];
  for (const bool dynamic : {false, true}) {
    const Json* anchor = find(schema, dynamic ? "$dynamicAnchor" : "$anchor");
    if (anchor == nullptr) continue;
    std::string name(view(*anchor));
    const auto [at, fresh] = resource.anchors.emplace(name, place);
    if (!fresh && at->second != place) {
      return bad_schema(places_[place].location,
                        "another schema of the same resource has the anchor '" + name + "' too");
    }
    if (dynamic) resource.dynamic_anchors.emplace(std::move(name), place);
  }
  return Status::ok();
}

}  // namespace gantry::schema::detail
