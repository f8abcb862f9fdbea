// ops/change/write.hpp: the writes that a request asks for. Texts are the request's. Functions
// throw QueryError.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/change/rights.hpp"
#include "ops/request.hpp"
#include "policy/row_rules.hpp"

namespace gantry::data {

// Of one request, in one transaction.
inline constexpr std::size_t kMostWrites = 100;

// One object that is to be created, updated or removed.
struct Write {
  ClassOp op = ClassOp::create;
  std::string_view class_name;
  std::string object_id = {};              // empty for create
  const rapidjson::Value* data = nullptr;  // an object; null for remove
  std::string_view if_unchanged = {};      // a version; empty: any
  std::string place = {};                  // "objects[3]: " for messages; empty: the only write
};

struct Writes {
  std::vector<Write> list;  // at least one
  bool is_dry_run = false;
  std::string_view expect = {};  // the `versions` of a dry run; empty: none
};

// {class_name, object_id?, data?, if_unchanged?} or {class_name, objects: [{…}]}. An object_id is a
// text, or what a read shows of the key: an integer, {"$base64": …}.
Writes requested_writes(const Request& request, ClassOp op);
// {writes: [{op, class_name, object_id?, data?, if_unchanged?}]}
Writes requested_transaction(const Request& request);

// The tier that they need.
WriteTier tier_of(const Writes& writes);

}  // namespace gantry::data
