#include "host/registry/find.hpp"

#include <array>

namespace gantry::host {

const ItemTable* table_of(std::string_view kind) {
  static constexpr std::array<ItemTable, 7> kTables{{
      {"tool", &Snapshot::tools, &Snapshot::tool_by_name},
      {"prompt", &Snapshot::prompts, &Snapshot::prompt_by_name},
      {"resource", &Snapshot::resources, &Snapshot::resource_by_uri},
      {"resource_template", &Snapshot::templates, &Snapshot::template_by_uri},
      {"service", &Snapshot::services, &Snapshot::service_by_name},
      {"completion", &Snapshot::completions, &Snapshot::completion_by_name},
      {"method", &Snapshot::methods, &Snapshot::method_by_name},
  }};
  for (const ItemTable& table : kTables) {
    if (table.kind == kind) return &table;
  }
  return nullptr;
}

const Item* find_item(const Snapshot::ByKey& items, std::string_view key) {
  const auto found = items.find(key);
  return found == items.end() ? nullptr : found->second;
}

const Item* find_item(const Snapshot& snapshot, std::string_view kind, std::string_view key) {
  const ItemTable* const table = table_of(kind);
  return table == nullptr ? nullptr : find_item(snapshot.*table->by_key, key);
}

}  // namespace gantry::host
