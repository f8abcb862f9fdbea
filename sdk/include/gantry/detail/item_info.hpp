// gantry/detail/item_info.hpp: what items of all kinds say of themselves in a list.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <gantry/json_writer.hpp>

namespace gantry::detail {

// Setters return the item, to be chained.
template <class Item>
class ItemInfo {
 public:
  ItemInfo(std::string_view name, std::string_view description)
      : name_(name), description_(description) {}

  Item& title(std::string_view text) { return title_ = text, self(); }
  // "readonly" (the default), "write" or "admin": the least a caller needs.
  Item& permission(std::string_view tier) { return permission_ = tier, self(); }
  Item& timeout(std::chrono::milliseconds limit) { return timeout_ = limit, self(); }
  // Always done in well under a millisecond: may run on the host's I/O thread.
  Item& non_blocking() { return speed_ = "non_blocking", self(); }
  // Waits for the outside world: may use extra threads.
  Item& blocking() { return speed_ = "blocking", self(); }
  // Place among the items of all plugins, 0 to 1,000,000; those with one come first.
  Item& order(int place) { return order_ = place, self(); }
  // MCP icons and _meta: JSON texts, an array and an object.
  Item& icons(std::string_view json) { return icons_ = json, self(); }
  Item& meta(std::string_view json) { return meta_ = json, self(); }

  const std::string& name() const { return name_; }

 protected:
  // The members all kinds share; the object stays open.
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
