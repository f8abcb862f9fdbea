// gantry/items.hpp: the list properties of tools, prompts, resources and templates.
//
// Obtained from Offer (offer.hpp); setters return the item, for chaining.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gantry/detail/completers.hpp>
#include <gantry/detail/item_info.hpp>

namespace gantry {

class ToolInfo : public detail::ItemInfo<ToolInfo> {
 public:
  using ItemInfo::ItemInfo;

  ToolInfo& category(std::string_view text) { return category_ = text, *this; }
  // MCP tool annotations (hints), a JSON object.
  ToolInfo& annotations(std::string_view json) { return annotations_ = json, *this; }
  // JSON Schema texts that replace the schemas made from the handler's types.
  ToolInfo& input_schema(std::string_view json) { return input_schema_ = json, *this; }
  ToolInfo& output_schema(std::string_view json) { return output_schema_ = json, *this; }

  void write(JsonWriter& out) const {
    open(out, "tool").key("inputSchema").raw(input_schema_);
    if (!category_.empty()) out.key("category").string(category_);
    if (!annotations_.empty()) out.key("annotations").raw(annotations_);
    if (!output_schema_.empty()) out.key("outputSchema").raw(output_schema_);
    close(out);
  }

 private:
  std::string category_, annotations_;
  std::string input_schema_ = R"({"type":"object"})", output_schema_;
};

class PromptInfo : public detail::ItemInfo<PromptInfo> {
 public:
  PromptInfo(std::string_view name, std::string_view description)
      : ItemInfo(name, description), completers_(std::make_shared<detail::Completers>()) {}

  PromptInfo& argument(std::string_view name, std::string_view description, bool required = false) {
    arguments_.push_back({std::string(name), std::string(description), required});
    return *this;
  }
  // Sets the completer of an argument; see completion.hpp.
  template <class F>
  PromptInfo& complete(std::string_view argument, F function) {
    completers_->add(argument, detail::make_handler(std::move(function), "completion"));
    return *this;
  }

  void write(JsonWriter& out) const {
    open(out, "prompt").key("arguments").begin_array();
    for (const Argument& argument : arguments_) {
      out.begin_object().key("name").string(argument.name);
      if (!argument.description.empty()) out.key("description").string(argument.description);
      out.key("required").boolean(argument.required).end_object();
    }
    out.end_array();
    close(out);
  }
  const std::shared_ptr<detail::Completers>& completers() const { return completers_; }

  // Announces the members of a described struct as arguments.
  template <Described T>
  void arguments_of() {
    const auto announce = [this](const auto& field) {
      using Member = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
      argument(field.name, field.description, !detail::kIsOptional<Member> && !field.may_be_absent);
    };
    std::apply([&](const auto&... field) { (announce(field), ...); }, T::fields());
  }

 private:
  struct Argument {
    std::string name, description;
    bool required;
  };
  std::vector<Argument> arguments_;
  std::shared_ptr<detail::Completers> completers_;
};

namespace detail {

// The list properties that resources and templates share.
template <class Item>
class ReadableInfo : public ItemInfo<Item> {
 public:
  ReadableInfo(std::string_view uri, std::string_view name, std::string_view description)
      : ItemInfo<Item>(name, description), uri_(uri) {}

  Item& mime_type(std::string_view type) { return mime_type_ = type, this->self(); }
  // Clients may subscribe; the plugin reports changes with Events (events.hpp).
  Item& subscribe() { return subscribe_ = true, this->self(); }
  // How long a client may cache the content; 0, the default: not at all.
  Item& ttl(std::chrono::milliseconds time) { return ttl_ = time, this->self(); }
  // The content is the same for every caller: shared caches may keep it.
  Item& is_public() { return public_ = true, this->self(); }

  // MCP annotations: a JSON object with audience, priority or lastModified.
  Item& annotations(std::string_view json) { return annotations_ = json, this->self(); }

  const std::string& uri() const { return uri_; }

 protected:
  JsonWriter& open_readable(JsonWriter& out, std::string_view kind, const char* uri_name) const {
    this->open(out, kind).key(uri_name).string(uri_);
    if (!mime_type_.empty()) out.key("mimeType").string(mime_type_);
    if (!annotations_.empty()) out.key("annotations").raw(annotations_);
    if (subscribe_) out.key("subscribe").boolean(true);
    if (ttl_.count() > 0) out.key("ttlMs").number(ttl_.count());
    if (public_) out.key("cacheScope").string("public");
    return out;
  }

 private:
  std::string uri_, mime_type_, annotations_;
  bool subscribe_ = false, public_ = false;
  std::chrono::milliseconds ttl_{0};
};

}  // namespace detail

class ResourceInfo : public detail::ReadableInfo<ResourceInfo> {
 public:
  using ReadableInfo::ReadableInfo;

  // In bytes.
  ResourceInfo& size(std::uint64_t bytes) { return size_ = bytes, *this; }

  void write(JsonWriter& out) const {
    open_readable(out, "resource", "uri");
    if (size_) out.key("size").number(*size_);
    close(out);
  }

 private:
  std::optional<std::uint64_t> size_;
};

class ResourceTemplateInfo : public detail::ReadableInfo<ResourceTemplateInfo> {
 public:
  ResourceTemplateInfo(std::string_view uri_template, std::string_view name,
                       std::string_view description)
      : ReadableInfo(uri_template, name, description),
        completers_(std::make_shared<detail::Completers>()),
        lister_(std::make_shared<detail::Handler>()) {}

  // Sets the handler for the resources that this template contributes to the client's list. Its
  // form is R () or R (Call&); R is Listing, std::vector<Listed>, or a Result of one.
  template <class F>
  ResourceTemplateInfo& lists(F function) {
    *lister_ = detail::make_handler(std::move(function), "resource_list");
    return *this;
  }
  // Sets the completer of a variable; see completion.hpp.
  template <class F>
  ResourceTemplateInfo& complete(std::string_view variable, F function) {
    completers_->add(variable, detail::make_handler(std::move(function), "completion"));
    return *this;
  }

  void write(JsonWriter& out) const {
    open_readable(out, "resource_template", "uriTemplate");
    if (*lister_) out.key("lists").boolean(true);
    close(out);
  }
  const std::shared_ptr<detail::Completers>& completers() const { return completers_; }
  const std::shared_ptr<detail::Handler>& lister() const { return lister_; }

 private:
  std::shared_ptr<detail::Completers> completers_;
  std::shared_ptr<detail::Handler> lister_;
};

}  // namespace gantry
