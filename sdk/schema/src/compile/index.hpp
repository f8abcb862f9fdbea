// The places and names of all schemas in a document, and the resolution of references.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include <gantry/result.hpp>

#include "compile/shapes.hpp"

namespace gantry::schema::detail {

// One schema; its number in the index is its node in the program.
struct Place {
  const Json* schema;
  std::uint32_t resource;
  std::string location;  // "#/properties/limit"
};

// A schema with its own URI, and the names defined inside it.
struct Resource {
  std::string uri;
  const Json* root;
  std::map<std::string, std::uint32_t, std::less<>> anchors;
  std::map<std::string, std::uint32_t, std::less<>> dynamic_anchors;
};

struct Target {
  std::uint32_t place;
  std::string dynamic_anchor;  // not empty if the fragment is a dynamic anchor
};

class Index {
 public:
  explicit Index(std::uint32_t max_schemas) : max_schemas_(max_schemas) {}

  // Adds `root` as place 0, with all schemas inside it. It must outlive the index.
  Status add_root(const Json& root);

  // Resolves `reference`, written in `place`. May add further places: metaschemas, and schemas
  // under unknown keywords.
  Result<Target> resolve(std::uint32_t place, std::string_view reference);

  const std::deque<Place>& places() const { return places_; }
  const std::deque<Resource>& resources() const { return resources_; }
  // The place of a value that was added.
  std::uint32_t place_of(const Json& schema) const { return by_value_.at(&schema); }

 private:
  Status add(const Json& schema, std::uint32_t resource, const std::string& location);
  Status add_children(const Json& schema, std::uint32_t resource, const std::string& location);
  Status add_each(const Json& list, std::uint32_t resource, const std::string& location);
  Status add_named(const Json& map, std::uint32_t resource, const std::string& location);
  Result<std::uint32_t> add_resource(const Json& schema, const Json& id, std::uint32_t parent,
                                     const std::string& location);
  Status add_anchors(const Json& schema, std::uint32_t place);
  Result<std::uint32_t> resource_named(const std::string& uri);
  Result<std::uint32_t> follow_pointer(std::uint32_t resource, std::string_view pointer);

  std::uint32_t max_schemas_;
  std::deque<Place> places_;
  std::deque<Resource> resources_;
  std::unordered_map<const Json*, std::uint32_t> by_value_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::deque<rapidjson::Document> metaschemas_;
};

}  // namespace gantry::schema::detail
