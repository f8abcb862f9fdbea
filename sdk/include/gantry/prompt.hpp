// gantry/prompt.hpp: the answer of a prompt's handler.
//
//   offer.prompt("review", "Reviews a text.", [](const Text& args) {
//     return gantry::Messages().user("Review this:").user(gantry::text(args.text));
//   });
//
// A handler has one of the forms in offer.hpp. Arguments of prompts are text: Args is a struct
// whose members are std::string, enums or std::optional of those, which are announced; or the
// handler takes only Call&, and argument() announces them. It returns Messages, or text, which
// becomes one message of the user, or a Result of these. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/content.hpp>

namespace gantry {

// The answer of a prompt: messages in order.
class Messages {
 public:
  Messages& user(const Block& content) { return add("user", content); }
  Messages& user(std::string_view words) { return add("user", text(words)); }
  Messages& assistant(const Block& content) { return add("assistant", content); }
  Messages& assistant(std::string_view words) { return add("assistant", text(words)); }
  // Replaces the description in the list of prompts.
  Messages& description(std::string_view words) { return description_ = words, *this; }

  std::string structured() const {
    std::string text;
    JsonWriter out(text);
    out.begin_object();
    if (!description_.empty()) out.key("description").string(description_);
    out.key("messages").raw("[" + messages_ + "]").end_object();
    return text;
  }

 private:
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
  std::string description_, messages_;
};

}  // namespace gantry
