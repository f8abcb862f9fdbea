#include "compile/index.hpp"

#include <algorithm>
#include <charconv>

#include <gantry/schema/metaschema.hpp>

#include "compile/uri.hpp"

namespace gantry::schema::detail {
namespace {

const Json* element(const Json& list, std::string_view digits) {
  std::uint32_t i = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, i);
  if (read.ec != std::errc{} || read.ptr != end || i >= list.Size()) return nullptr;
  if (digits.size() > 1 && digits[0] == '0') return nullptr;
  return &list[i];
}

std::string unescaped(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool escape = segment[i] == '~' && i + 1 < segment.size();
    if (escape && (segment[i + 1] == '0' || segment[i + 1] == '1')) {
      out += segment[++i] == '0' ? '~' : '/';
    } else {
      out += segment[i];
    }
  }
  return out;
}

const Json* child(const Json& value, const std::string& segment) {
  if (value.IsObject()) return find(value, segment);
  return value.IsArray() ? element(value, segment) : nullptr;
}

Status dangling(const Place& place, std::string_view reference, const std::string& why) {
  return bad_schema(place.location, "the reference '" + std::string(reference) + "' " + why);
}

}  // namespace

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

Result<std::uint32_t> Index::resource_named(const std::string& uri) {
  if (const auto at = by_uri_.find(uri); at != by_uri_.end()) return at->second;
  const auto text = metaschema(uri);
  if (!text) return Status::not_found("");
  rapidjson::Document& document = metaschemas_.emplace_back();
  document.Parse(text->data(), text->size());
  const auto number = static_cast<std::uint32_t>(resources_.size());
  resources_.push_back({uri, &document, {}, {}});
  by_uri_.emplace(uri, number);
  // Its own $id is the name it was just added under.
  document.RemoveMember("$id");
  if (Status s = add(document, number, uri + "#"); !s) return s;
  return number;
}

Result<std::uint32_t> Index::follow_pointer(std::uint32_t resource, std::string_view pointer) {
  const Json* at = resources_[resource].root;
  std::string location = places_[place_of(*at)].location;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    at = child(*at, unescaped(pointer.substr(0, end)));
    if (at == nullptr) return Status::not_found("points at nothing");
    ((location += '/') += pointer.substr(0, end));
    pointer.remove_prefix(end);
    if (const auto known = by_value_.find(at); known != by_value_.end()) {
      resource = places_[known->second].resource;
    }
  }
  if (!is_schema(*at)) return Status::not_found("points at something that is no schema");
  if (Status s = add(*at, resource, location); !s) return s;
  return place_of(*at);
}

Result<Target> Index::resolve(std::uint32_t place, std::string_view reference) {
  const Place& from = places_[place];
  const auto [document, fragment] = split_fragment(reference);
  std::uint32_t resource = from.resource;
  if (!document.empty()) {
    Result<std::uint32_t> found = resource_named(resolve_uri(resources_[resource].uri, document));
    if (!found && found.status().code() != GANTRY_NOT_FOUND) return found.status();
    if (!found) {
      return dangling(from, reference,
                      "resolves neither inside the document nor to the 2020-12 metaschemas; put "
                      "what it names under $defs (references are never fetched)");
    }
    resource = *found;
  }
  const auto decoded = percent_decoded(fragment);
  if (!decoded) return dangling(from, reference, "has a '%' without two hexadecimal digits");
  if (decoded->empty() || decoded->front() == '/') {
    Result<std::uint32_t> found = follow_pointer(resource, *decoded);
    if (found) return Target{*found, ""};
    if (found.status().code() != GANTRY_NOT_FOUND) return found.status();
    return dangling(from, reference, found.message());
  }
  const Resource& owner = resources_[resource];
  const auto anchor = owner.anchors.find(*decoded);
  if (anchor == owner.anchors.end()) {
    return dangling(from, reference, "names an anchor that does not exist there");
  }
  return Target{anchor->second, owner.dynamic_anchors.contains(*decoded) ? *decoded : ""};
}

}  // namespace gantry::schema::detail
