// core/methods.hpp: the methods that an agent may call, as gantry.catalog/1 lists them.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mutation {

struct MethodEntry {
  std::string class_name, name;
  std::string permission;  // its tier
  bool supports_dry_run = false;
};

// The method among `methods`, the catalog's JSON array; nothing if it is not there.
std::optional<MethodEntry> find_method(std::string_view methods, std::string_view class_name,
                                       std::string_view name);

// The sentence for a method that does not exist: it names those of the class.
std::string no_method(std::string_view class_name, std::string_view name, std::string_view methods);

// A sentence if the operations on the class (members "operations" and "writes" of the meta of
// "access") do not hold the one that the method's tier needs: find, update or delete. Empty: they
// do.
std::string lacks_permission(std::string_view access, const MethodEntry& method);

// The member "rows" of a preview, for limits of rows; nothing if it has none.
std::optional<std::int64_t> rows_of(std::string_view preview);

}  // namespace mutation
