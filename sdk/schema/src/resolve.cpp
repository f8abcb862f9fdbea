// Index: resolves references.
#include "resolve.hpp"

#include <algorithm>
#include <charconv>

#include <gantry/schema/metaschema.hpp>

#include "uri.hpp"

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
