// tools/gantry/chat/wire/wire.hpp: what providers of models differ in: the form of requests and
// replies.
//
// No network here. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/fwd.h>

#include "tools/gantry/chat/message.hpp"

namespace gantry::cli::chat {

// An error in a provider's words; all empty: there is none.
struct WireError {
  std::string type, code, message;
  explicit operator bool() const { return !type.empty() || !code.empty() || !message.empty(); }
};

// The error of a body or event {"error":…}, in the form of either provider, or {"detail":…}.
WireError wire_error(const rapidjson::Value& document);

// Puts one streamed reply together.
class ReplyReader {
 public:
  explicit ReplyReader(OnText on_text) : on_text_(std::move(on_text)) {}
  virtual ~ReplyReader() = default;
  ReplyReader(const ReplyReader&) = delete;
  ReplyReader& operator=(const ReplyReader&) = delete;

  // The data of the next event.
  void read(std::string_view data);
  const WireError& error() const { return error_; }

  // Whether the provider said why the reply ended: what comes later can only be its usage.
  virtual bool has_ended() const = 0;
  // The reply, or as much of it as was read.
  virtual Reply reply() const = 0;

 protected:
  virtual void take(const rapidjson::Value& event) = 0;
  void show(const std::string& text) const;

 private:
  const OnText on_text_;
  WireError error_;
};

class Wire {
 public:
  virtual ~Wire() = default;

  virtual std::string path() const = 0;  // behind the base URL, with a slash
  // "Name: value"; an empty key sends none.
  virtual std::vector<std::string> headers(const std::string& key) const = 0;
  virtual std::string body(const std::string& model, const Request& request) const = 0;
  virtual std::unique_ptr<ReplyReader> reader(OnText on_text) const = 0;
  // Message::wire of an assistant that said only `text`, which must not be empty.
  virtual std::string said(const std::string& text) const = 0;
};

// OpenAI's Chat Completions.
std::unique_ptr<Wire> openai_wire();
// The same as servers of local models understand it, with an output of at most `max_tokens`.
std::unique_ptr<Wire> local_wire(std::uint64_t max_tokens);
// Anthropic's Messages.
std::unique_ptr<Wire> anthropic_wire();

}  // namespace gantry::cli::chat
