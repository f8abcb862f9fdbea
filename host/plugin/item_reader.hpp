// host/plugin/item_reader.hpp: reads one item, member by member.
//
// Internal to host/loader; used once, by one thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/base/raw_json.hpp"
#include "host/plugin/manifest.hpp"

namespace gantry::host {

class ItemReader {
 public:
  // `place` names the item in errors; ignored members go to `warnings`.
  ItemReader(std::string place, std::vector<std::string>& warnings);

  Result<ItemSpec> read(const RawJson& item, const std::optional<RawJson>& schemas);

 private:
  using Take = Status (ItemReader::*)(const std::string&, const RawJson&);
  struct Member;

  Status take_kind(const RawJson& item);
  Status member(const std::string& name, const RawJson& value);

  Status kind(const std::string& place, const RawJson& value);
  Status name(const std::string& place, const RawJson& value);
  Status title(const std::string& place, const RawJson& value);
  Status description(const std::string& place, const RawJson& value);
  Status category(const std::string& place, const RawJson& value);
  Status permission(const std::string& place, const RawJson& value);
  Status timeout(const std::string& place, const RawJson& value);
  Status flags(const std::string& place, const RawJson& value);
  Status order(const std::string& place, const RawJson& value);
  Status input_schema(const std::string& place, const RawJson& value);
  Status output_schema(const std::string& place, const RawJson& value);
  Status annotations(const std::string& place, const RawJson& value);
  Status icons(const std::string& place, const RawJson& value);
  Status meta(const std::string& place, const RawJson& value);
  Status arguments(const std::string& place, const RawJson& value);
  Status argument(const std::string& place, const RawJson& value);
  Status uri(const std::string& place, const RawJson& value);
  Status uri_template(const std::string& place, const RawJson& value);
  Status mime_type(const std::string& place, const RawJson& value);
  Status size(const std::string& place, const RawJson& value);
  Status subscribe(const std::string& place, const RawJson& value);
  Status lists(const std::string& place, const RawJson& value);
  Status ttl(const std::string& place, const RawJson& value);
  Status cache_scope(const std::string& place, const RawJson& value);

  Status check_whole();
  Status check_name() const;
  Status take_schemas(const RawJson& schemas);
  Status check_schemas();
  Status check_input() const;
  Status compile(const char* which, const std::string& text, std::optional<schema::Validator>& out);

  std::string place_;
  std::vector<std::string>& warnings_;
  ItemSpec spec_;
};

}  // namespace gantry::host
