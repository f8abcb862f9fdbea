// resources/resource_uri.hpp: the URIs of a class's resources.
//
//   data://{class}/schema   data://{class}/count   data://{class}/samples
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gantry::data {

enum class ResourcePart { schema, count, samples };

inline constexpr std::array kResourceParts = {ResourcePart::schema, ResourcePart::count,
                                              ResourcePart::samples};

struct ResourceUri {
  std::string class_name;  // decoded
  ResourcePart part = ResourcePart::schema;
};

std::string_view part_name(ResourcePart part);      // "schema"
std::string_view part_template(ResourcePart part);  // "data://{class}/schema"

// The class name percent-encoded, all but RFC 3986's unreserved characters.
std::string resource_uri(std::string_view class_name, ResourcePart part);

// Empty if `uri` is none of the three, or its encoding is invalid.
std::optional<ResourceUri> parse_resource_uri(std::string_view uri);

}  // namespace gantry::data
