// gantry/detail/item_info.hpp: the list properties that items of all kinds share.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/json_writer.hpp>

namespace gantry::detail {

// Setters return the item, for chaining.
template <class Item>
class ItemInfo {
 public:
  ItemInfo(std::string_view name, std::string_view description)
      : name_(name), description_(description) {}

  Item& title(std::string_view text) { return title_ = text, self(); }
  // The least tier that a caller needs: "readonly" (the default), "write" or "admin".
  Item& permission(std::string_view tier) { return permission_ = tier, self(); }
  Item& timeout(std::chrono::milliseconds limit) { return timeout_ = limit, self(); }
  // Always completes in well under a millisecond: may run on the host's I/O thread.
  Item& non_blocking() { return speed_ = "non_blocking", self(); }
  // Waits for external events: may use extra threads.
  Item& blocking() { return speed_ = "blocking", self(); }
  // Position among the items of all plugins, 0 to 1,000,000; items with a position come first.
  Item& order(int place) { return order_ = place, self(); }
  // MCP icons (a JSON array) and _meta (a JSON object), as texts.
  Item& icons(std::string_view json) { return icons_ = json, self(); }
  Item& meta(std::string_view json) { return meta_ = json, self(); }

  const std::string& name() const { return name_; }

 protected:
  // Writes the members that all kinds share; leaves the object open.
  JsonWriter& open(JsonWriter& out, std::string_view kind) const {
    out.begin_object().key("kind").string(kind).key("name").string(name_);
    if (!title_.empty()) out.key("title").string(title_);
    out.key("description").string(description_);
    if (!permission_.empty()) out.key("permission").string(permission_);
    if (timeout_.count() > 0) out.key("timeout_ms").number(timeout_.count());
    if (!speed_.empty()) out.key("flags").begin_array().string(speed_).end_array();
    if (order_) out.key("order").number(*order_);
    return out;
  }
  void close(JsonWriter& out) const {
    if (!icons_.empty()) out.key("icons").raw(icons_);
    if (!meta_.empty()) out.key("_meta").raw(meta_);
    out.end_object();
  }
  Item& self() { return static_cast<Item&>(*this); }

 private:
  std::string name_, description_, title_, permission_, speed_;
  std::string icons_, meta_;
  std::chrono::milliseconds timeout_{0};
  std::optional<int> order_;
};

}  // namespace gantry::detail
