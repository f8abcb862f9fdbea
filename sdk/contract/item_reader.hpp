// sdk/contract/item_reader.hpp: reads one item, member by member.
//
// Internal to the contract kit; used once, by one thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdk/contract/item_kinds.hpp"
#include "sdk/contract/manifest.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::contract {

class ItemReader {
 public:
  // `place` names the item in errors; ignored members go to `warnings`.
  ItemReader(std::string place, std::vector<std::string>& warnings);

  Result<Item> read(const RawJson& item, const std::optional<RawJson>& schemas);

 private:
  using Take = Status (ItemReader::*)(const std::string&, const RawJson&);
  struct Member;
  static const Member kMembers[];

  Status take_kind(const RawJson& item);
  Status member(const std::string& name, const RawJson& value);

  // Members that need no more than their type.
  template <std::string Item::*member>
  Status text(const std::string& place, const RawJson& value);
  template <std::string Item::*member, RawJson::Kind kind>
  Status json(const std::string& place, const RawJson& value);
  template <bool Item::*member>
  Status flag(const std::string& place, const RawJson& value);
  template <std::chrono::milliseconds Item::*member, std::int64_t low, std::int64_t high>
  Status time(const std::string& place, const RawJson& value);

  Status kind(const std::string& place, const RawJson& value);
  Status category(const std::string& place, const RawJson& value);
  Status permission(const std::string& place, const RawJson& value);
  Status flags(const std::string& place, const RawJson& value);
  Status order(const std::string& place, const RawJson& value);
  Status arguments(const std::string& place, const RawJson& value);
  Status argument(const std::string& place, const RawJson& value);
  Status uri(const std::string& place, const RawJson& value);
  Status mime_type(const std::string& place, const RawJson& value);
  Status size(const std::string& place, const RawJson& value);
  Status cache_scope(const std::string& place, const RawJson& value);

  Status check_whole() const;
  Status check_name() const;
  Status take_schemas(const RawJson& schemas);
  Status check_schemas();
  Status check_input() const;
  Status compile(const char* which, const std::string& text,
                 std::shared_ptr<const schema::Validator>& out) const;

  std::string place_;
  std::vector<std::string>& warnings_;
  Item item_;
};

}  // namespace gantry::contract
