// gantry/prompt.hpp: the answer of a prompt's handler.
//
//   offer.prompt("review", "Reviews a text.", [](const Text& args) {
//     return gantry::Messages().user("Review this:").user(gantry::text(args.text));
//   });
//
// A handler has one of the forms in offer.hpp. Arguments of prompts are text: Args is a struct
// whose members are std::string, enums or std::optional of those, which are announced; or the
// handler takes only Call&, and argument() announces them. It returns Messages, or text, which
// becomes one message of the user, or a Result of these. MCP: prompts/get.
//
// A prompt only makes messages: the client sends them to its model. An answer without a message is
// an error of the plugin. Values; any thread.
//
// Owns: its text; the arguments of the functions are copied. Limits: all messages together have 4
// MiB unless the operator says otherwise. Errors: a failed Status ends the request with an error.
// The JSON of a block is not checked here; the host checks the answer and a wrong one is the
// plugin's fault.
#pragma once

#include <string>
#include <string_view>

#include <gantry/content.hpp>

namespace gantry {

// The answer of a prompt: messages in order. Functions return the object, for chaining.
class Messages {
 public:
  // A message in the words of the user: a content block (content.hpp), or text.
  Messages& user(const Block& content) { return add("user", content); }
  Messages& user(std::string_view words) { return add("user", text(words)); }
  // A message as if the model had said it, for examples of the wanted answer.
  Messages& assistant(const Block& content) { return add("assistant", content); }
  Messages& assistant(std::string_view words) { return add("assistant", text(words)); }
  // Replaces the description in the list of prompts, for this answer only.
  Messages& description(std::string_view words) { return description_ = words, *this; }

  // The answer as the JSON object {description?, messages}.
  std::string structured() const {
    std::string text;
    JsonWriter out(text);
    out.begin_object();
    if (!description_.empty()) out.key("description").string(description_);
    out.key("messages").raw("[" + messages_ + "]").end_object();
    return text;
  }

 private:
  // Appends one message; the JSON of the content is not checked.
  Messages& add(std::string_view role, const Block& content) {
    JsonWriter(messages_.empty() ? messages_ : messages_ += ',')
        .begin_object()
        .key("role")
        .string(role)
        .key("content")
        .raw(content.json)
        .end_object();
    return *this;
  }
  // The messages are the inside of one JSON array, as text.
  std::string description_, messages_;
};

}  // namespace gantry
