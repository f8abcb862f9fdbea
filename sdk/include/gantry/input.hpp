// gantry/input.hpp: asks the caller's user or model from inside a handler; abi/input.h has the
// rules.
//
//   const auto name = input.elicit<Person>(call, "who", "Who is it for?");
//   if (!name) return name.status();            // asked now, or cannot be asked
//   if (!name->accepted()) return gantry::Status::failed("It was declined.");
//   greet(name->value);
//
// A handler requests an input and returns any failed Result. When the client has answered, the item
// is entered again from its start with the same arguments, and the same lines then find the
// answers. To ask several questions at once, request all of them before the first return. Request
// the same inputs in every round, and do nothing before them that must not be repeated.
//
// A failed Result here is GANTRY_INPUT_REQUIRED (asked; also written `gantry::need_input`),
// GANTRY_UNSUPPORTED (this client does not support the question: continue without, or return the
// Status, and the host tells the client which capability is missing), GANTRY_CANCELLED, or the
// reason why the question is invalid. The manifest's "needs" must name gantry.input/1. Threads:
// any, one at a time for one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/abi/input.h>
#include <gantry/call.hpp>
#include <gantry/content.hpp>

namespace gantry {

// The return value of a handler that has asked: the call ends, and the item is entered again later.
struct NeedInput {
  operator Status() const { return Status(GANTRY_INPUT_REQUIRED, {}); }  // NOLINT: by design
  template <class T>
  operator Result<T>() const {  // NOLINT: by design
    return Result<T>(Status(*this));
  }
};
inline constexpr NeedInput need_input{};

// The user's reaction to a question.
enum class ElicitAction { accept, decline, cancel };

// The answer to a question; `value` is valid only if it was accepted.
template <class T>
struct Elicited {
  ElicitAction action = ElicitAction::cancel;
  T value{};
  bool accepted() const { return action == ElicitAction::accept; }
};

// The answer of a model.
struct Sampled {
  std::string role, model, stop_reason;
  std::string content;  // one content block or an array of them, as JSON
  // The texts of its blocks, joined by newlines; "" if there are none.
  std::string text() const;
};

struct Root {
  std::string uri, name;
};

class Input {
 public:
  // Empty if the host has no such service or the manifest's "needs" does not name it.
  static std::optional<Input> of(const Host& host) {
    const auto* table = host.service<gantry_input_api>(GANTRY_INPUT_SERVICE);
    return table == nullptr ? std::nullopt : std::optional(Input(*table));
  }

  // The answer to the request named `key`, as JSON; asks if there is none. `params` is a JSON
  // object.
  Result<std::string> request(const CallView& call, std::string_view key, std::string_view method,
                              std::string_view params) const {
    gantry_bytes answer{nullptr, 0};
    const gantry_status status =
        table_->request(call.handle(), to_bytes(key), to_bytes(method), to_bytes(params), &answer);
    if (status == GANTRY_OK) return std::string(to_view(answer));
    return not_answered(status, key);
  }

  // Asks the user to fill in a form. `schema` is a JSON Schema of an object whose properties are
  // strings, numbers, booleans or choices; the value is the JSON object with the entries.
  Result<Elicited<JsonText>> elicit(const CallView& call, std::string_view key,
                                    std::string_view message, std::string_view schema) const {
    const Result<std::string> answer = request(call, key, kElicit, form(message, schema));
    if (!answer) return answer.status();
    return elicited(*answer);
  }
  // The same, with a form made from a struct with fields() (strings, numbers, bools, enums).
  template <Described T>
  Result<Elicited<T>> elicit(const CallView& call, std::string_view key,
                             std::string_view message) const;

  // Sends the user to a web page. Accepting means only that the user opened it.
  Result<Elicited<JsonText>> elicit_url(const CallView& call, std::string_view key,
                                        std::string_view message, std::string_view url) const {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("mode")
        .string("url")
        .key("message")
        .string(message)
        .key("url")
        .string(url)
        .end_object();
    const Result<std::string> answer = request(call, key, kElicit, params);
    if (!answer) return answer.status();
    return elicited(*answer);
  }

  // Asks the caller's model. `params` are those of MCP's sampling/createMessage, or a user's prompt
  // with a limit of tokens for the answer.
  Result<Sampled> sample(const CallView& call, std::string_view key,
                         std::string_view params) const {
    const Result<std::string> answer = request(call, key, "sampling/createMessage", params);
    if (!answer) return answer.status();
    return sampled(*answer);
  }
  Result<Sampled> sample(const CallView& call, std::string_view key, std::string_view prompt,
                         int max_tokens) const {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("messages")
        .begin_array()
        .begin_object()
        .key("role")
        .string("user")
        .key("content")
        .raw(text(prompt).json)
        .end_object()
        .end_array()
        .key("maxTokens")
        .number(max_tokens)
        .end_object();
    return sample(call, key, params);
  }

  // The folders that the client works in.
  Result<std::vector<Root>> roots(const CallView& call, std::string_view key) const;

  // The bytes given to keep() in the previous round, "" in the first; valid until the call ends.
  std::string_view state(const CallView& call) const {
    return to_view(table_->state(call.handle()));
  }
  // Stores bytes for state() of the next round, at most 16 KiB; only the last keep() is used.
  Status keep(const CallView& call, std::string_view state) const {
    const gantry_status status = table_->keep(call.handle(), to_bytes(state));
    if (status >= 0) return {};
    if (status == GANTRY_CANCELLED) return Status(status, "the call was cancelled");
    return Status::failed("keep() failed with status " + std::to_string(status) +
                          "; state may have 16 KiB");
  }

 private:
  static constexpr std::string_view kElicit = "elicitation/create";

  explicit Input(const gantry_input_api& table) : table_(&table) {}

  // An invalid question is the plugin's fault, not the caller's.
  static Status not_answered(gantry_status status, std::string_view key) {
    if (status == GANTRY_INPUT_REQUIRED || status == GANTRY_UNSUPPORTED) return {status, {}};
    if (status == GANTRY_CANCELLED) return {status, "the call was cancelled"};
    return Status::failed("asking for '" + std::string(key) + "' failed with status " +
                          std::to_string(status) +
                          "; abi/input.h says what key, method and params may be");
  }

  static std::string form(std::string_view message, std::string_view schema) {
    std::string params;
    JsonWriter(params)
        .begin_object()
        .key("mode")
        .string("form")
        .key("message")
        .string(message)
        .key("requestedSchema")
        .raw(schema)
        .end_object();
    return params;
  }

  static std::string text_of(const Json& object, std::string_view name) {
    const std::optional<Json> member = object.find(name);
    return member ? member->as_string().value_or("") : std::string();
  }

  static Result<Elicited<JsonText>> elicited(std::string_view answer) {
    const Result<Json> json = Json::parse(answer);
    if (!json) return json.status();
    const std::string action = text_of(*json, "action");
    const std::optional<Json> content = json->find("content");
    Elicited<JsonText> out{ElicitAction::cancel, {content ? std::string(content->text()) : "{}"}};
    if (action == "accept") out.action = ElicitAction::accept;
    if (action == "decline") out.action = ElicitAction::decline;
    return out;
  }

  static Result<Sampled> sampled(std::string_view answer) {
    const Result<Json> json = Json::parse(answer);
    if (!json) return json.status();
    const std::optional<Json> content = json->find("content");
    return Sampled{text_of(*json, "role"), text_of(*json, "model"), text_of(*json, "stopReason"),
                   content ? std::string(content->text()) : std::string()};
  }

  // Keeps the described members only: the client may send more.
  template <Described T>
  static std::string described_part(std::string_view content) {
    std::string text;
    JsonWriter out(text);
    out.begin_object();
    const Result<Json> json = Json::parse(content);
    const auto copy = [&](std::string_view name) {
      const std::optional<Json> member = json->find(name);
      if (member) out.key(name).raw(member->text());
    };
    std::apply([&](const auto&... field) { (copy(field.name), ...); }, T::fields());
    out.end_object();
    return text;
  }

  const gantry_input_api* table_;
};

template <Described T>
Result<Elicited<T>> Input::elicit(const CallView& call, std::string_view key,
                                  std::string_view message) const {
  const Result<Elicited<JsonText>> answer = elicit(call, key, message, schema_of<T>(false));
  if (!answer) return answer.status();
  if (!answer->accepted()) return Elicited<T>{answer->action, T{}};
  const std::string content = described_part<T>(answer->value.text);
  Result<T> value = read<T>(*Json::parse(content), key);
  if (!value) return value.status();
  return Elicited<T>{answer->action, std::move(*value)};
}

inline Result<std::vector<Root>> Input::roots(const CallView& call, std::string_view key) const {
  const Result<std::string> answer = request(call, key, "roots/list", {});
  if (!answer) return answer.status();
  const Result<Json> json = Json::parse(*answer);
  if (!json) return json.status();
  std::vector<Root> out;
  const std::optional<Json> roots = json->find("roots");
  if (!roots) return out;
  for (const Json& root : roots->elements()) {
    out.push_back({text_of(root, "uri"), text_of(root, "name")});
  }
  return out;
}

inline std::string Sampled::text() const {
  std::string out;
  const Result<Json> json = Json::parse(content);
  const auto take = [&out](const Json& block) {
    const std::optional<Json> text = block.find("text");
    if (!text || !text->is_string()) return;
    out += (out.empty() ? "" : "\n") + *text->as_string();
  };
  if (json && json->is_object()) take(*json);
  if (json) {
    for (const Json& block : json->elements()) take(block);
  }
  return out;
}

}  // namespace gantry
