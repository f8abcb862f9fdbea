// completion/complete: values for an argument of a prompt or a variable of a URI template.
#include <algorithm>

#include "host/base/json.hpp"
#include "host/registry/find.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/run_item.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

struct Wish {
  bool of_prompt = false;
  std::string_view key;  // name of the prompt or URI template
  std::string_view argument, value;
  std::string known;  // JSON object: arguments that have values already
  std::optional<Error> error;
};

std::optional<Error> read_ref(const Message& message, Wish& wish) {
  const Value* ref = message.param("ref");
  const auto type = text_of(member(ref, "type")).value_or("");
  if (type != "ref/prompt" && type != "ref/resource") {
    return Error::invalid_params("params.ref.type must be \"ref/prompt\" or \"ref/resource\"");
  }
  wish.of_prompt = type == "ref/prompt";
  const std::string_view which = wish.of_prompt ? "name" : "uri";
  const auto key = text_of(member(ref, which));
  if (!key) {
    return Error::invalid_params("params.ref." + std::string(which) + " must be a string");
  }
  wish.key = *key;
  return std::nullopt;
}

std::optional<Error> read_argument(const Message& message, Wish& wish) {
  const Value* argument = message.param("argument");
  const auto name = text_of(member(argument, "name")), value = text_of(member(argument, "value"));
  if (!name || !value) {
    return Error::invalid_params("params.argument must hold the strings name and value");
  }
  wish.argument = *name;
  wish.value = *value;
  return std::nullopt;
}

std::optional<Error> read_context(const Message& message, Wish& wish) {
  wish.known = "{}";
  const Value* context = message.param("context");
  if (context == nullptr) return std::nullopt;
  const Value* arguments = member(context, "arguments");
  if (context->IsObject() && arguments == nullptr) return std::nullopt;
  const auto fits = [arguments] {
    if (arguments == nullptr || !arguments->IsObject()) return false;
    return std::all_of(arguments->MemberBegin(), arguments->MemberEnd(),
                       [](const auto& each) { return each.value.IsString(); });
  };
  if (!fits())
    return Error::invalid_params("params.context.arguments must be an object of strings");
  wish.known = json_of(*arguments);
  return std::nullopt;
}

Wish read_wish(const Message& message) {
  Wish wish;
  wish.error = read_ref(message, wish);
  if (!wish.error) wish.error = read_argument(message, wish);
  if (!wish.error) wish.error = read_context(message, wish);
  return wish;
}

bool can_complete(const ItemSpec& spec, std::string_view name) {
  if (spec.kind == "resource_template") {
    return spec.uri.find("{" + std::string(name) + "}") != std::string::npos;
  }
  return std::any_of(spec.arguments.begin(), spec.arguments.end(),
                     [name](const PromptArgument& argument) { return argument.name == name; });
}

// Only of the same plugin: a plugin that overrides a prompt also completes its arguments.
const Item* completion_of(const Snapshot& snapshot, const Item& whole) {
  const Item* const item = find_item(snapshot.completion_by_name, whole.spec.key());
  return item != nullptr && item->plugin == whole.plugin ? item : nullptr;
}

std::string arguments_of_wish(const Wish& wish) {
  std::string out = "{\"argument\":{";
  append_text_member(out, "name", wish.argument);
  append_text_member(out, "value", wish.value);
  return out + "},\"context\":{\"arguments\":" + wish.known + "}}";
}

}  // namespace

std::optional<Answer> complete(Core& core, const Message& message, const Context& context,
                               Channel& channel) {
  const Wish wish = read_wish(message);
  if (wish.error) return failure(message, *wish.error);
  Asked asked;
  asked.what = Asked::What::completion;
  asked.name = wish.key;
  const SnapshotPtr snapshot = core.registry.current();
  const auto& items = wish.of_prompt ? snapshot->prompt_by_name : snapshot->template_by_uri;
  const Item* whole = find_visible(core.calls, *context.principal.agent, items, wish.key);
  if (whole == nullptr) return failure(message, not_there(asked, context.revision));
  if (!can_complete(whole->spec, wish.argument)) {
    return failure(message,
                   Error::invalid_params("'" + std::string(wish.key) + "' has no argument '" +
                                         std::string(wish.argument) + "'"));
  }
  const Item* item = completion_of(*snapshot, *whole);
  if (item != nullptr) {
    return run_item(core, message, context, channel, snapshot, *item, std::move(asked),
                    arguments_of_wish(wish));
  }
  ItemAnswer nothing;
  nothing.structured = "{\"values\":[]}";
  return item_result(std::move(nothing), asked, message.id(), context.revision, core.modern_meta)
      .answer;
}

}  // namespace gantry::host::rpc
