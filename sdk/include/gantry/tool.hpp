// gantry/tool.hpp: the list of what a plugin offers, written out in one place.
//
// A handler is a function, lambda or function object of one of these forms:
//   R (const Args&)   R (const Args&, Call&)   R (Call&)   R ()
// Args is a struct with fields() (fields.hpp); R is void, text, JsonText, a struct with fields(),
// Status, or Result of one of these. Exceptions become tool errors.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/detail/handler.hpp>

namespace gantry {

// What a list of tools shows of one. Setters return *this, to be chained.
class ToolInfo {
 public:
  ToolInfo(std::string_view name, std::string_view description)
      : name_(name), description_(description) {}

  ToolInfo& title(std::string_view text) { return title_ = text, *this; }
  ToolInfo& category(std::string_view text) { return category_ = text, *this; }
  // "readonly" (the default), "write" or "admin": the least a caller needs.
  ToolInfo& permission(std::string_view tier) { return permission_ = tier, *this; }
  ToolInfo& timeout(std::chrono::milliseconds limit) { return timeout_ = limit, *this; }
  // Always done in well under a millisecond: may run on the host's I/O thread.
  ToolInfo& non_blocking() { return speed_ = "non_blocking", *this; }
  // Waits for the outside world: may use extra threads.
  ToolInfo& blocking() { return speed_ = "blocking", *this; }
  // Instead of the schemas made from the handler's types: JSON Schema texts.
  ToolInfo& input_schema(std::string_view json) { return input_schema_ = json, *this; }
  ToolInfo& output_schema(std::string_view json) { return output_schema_ = json, *this; }
  // MCP tool annotations, a JSON object.
  ToolInfo& annotations(std::string_view json) { return annotations_ = json, *this; }

  void write(JsonWriter& out) const {
    out.begin_object().key("kind").string("tool").key("name").string(name_);
    if (!title_.empty()) out.key("title").string(title_);
    out.key("description").string(description_);
    if (!category_.empty()) out.key("category").string(category_);
    if (!permission_.empty()) out.key("permission").string(permission_);
    if (timeout_.count() > 0) out.key("timeout_ms").number(timeout_.count());
    if (!speed_.empty()) out.key("flags").begin_array().string(speed_).end_array();
    out.key("inputSchema").raw(input_schema_);
    if (!output_schema_.empty()) out.key("outputSchema").raw(output_schema_);
    if (!annotations_.empty()) out.key("annotations").raw(annotations_);
    out.end_object();
  }

 private:
  std::string name_, description_, title_, category_, permission_, speed_;
  std::string input_schema_ = R"({"type":"object"})", output_schema_, annotations_;
  std::chrono::milliseconds timeout_{0};
};

class Offer {
 public:
  // A tool that the plugin itself announces; the manifest says "items": "probe". Its schemas come
  // from the handler's types. The reference stays valid as long as the Offer.
  template <class F>
  ToolInfo& tool(std::string_view name, std::string_view description, F function) {
    using Arguments = detail::ArgumentsOf<F>;
    using Structure = detail::StructureOf<F>;
    ToolInfo& info = announced_.emplace_back(name, description);
    if constexpr (!std::is_void_v<Arguments>) info.input_schema(schema_of<Arguments>(true));
    if constexpr (!std::is_void_v<Structure>) info.output_schema(schema_of<Structure>(false));
    add("tool", name, detail::make_handler(std::move(function)));
    return info;
  }

  // The handler of a tool that the manifest lists.
  template <class F>
  void handler(std::string_view name, F function) {
    declared_ = name;
    add("tool", name, detail::make_handler(std::move(function)));
  }

  // A service for other plugins, "id/REV", as the manifest's "offers" names it.
  template <class F>
  void service(std::string_view name, F function) {
    services_.emplace_back(name);
    add("service", name, detail::make_handler(std::move(function)));
  }

  // Null when nothing of this kind has that name.
  const detail::Handler* find(std::string_view kind, std::string_view name) const {
    const auto& table = kind == "tool" ? tools_ : service_handlers_;
    const auto found = table.find(name);
    return found == table.end() ? nullptr : &found->second;
  }

  // The items for gantry_host_api.offer; empty when the manifest lists them all.
  // Throws std::logic_error when both ways are mixed.
  std::string items() const {
    if (announced_.empty()) return {};
    if (!declared_.empty()) {
      throw std::logic_error("tool '" + declared_ +
                             "' is added with handler(), others with tool(): list all tools in "
                             "the manifest, or none");
    }
    std::string text;
    JsonWriter out(text);
    out.begin_array();
    for (const ToolInfo& info : announced_) info.write(out);
    for (const std::string& name : services_) {
      out.begin_object().key("kind").string("service").key("name").string(name).end_object();
    }
    out.end_array();
    return text;
  }

 private:
  using Table = std::map<std::string, detail::Handler, std::less<>>;

  void add(std::string_view kind, std::string_view name, detail::Handler handler) {
    Table& table = kind == "tool" ? tools_ : service_handlers_;
    if (table.emplace(name, std::move(handler)).second) return;
    throw std::logic_error(std::string(kind) + " '" + std::string(name) + "' is offered twice");
  }

  std::deque<ToolInfo> announced_;
  std::deque<std::string> services_;
  std::string declared_;  // one that the manifest lists, for the message
  Table tools_, service_handlers_;
};

}  // namespace gantry
