// tools/gantry/chat/message.hpp: a conversation with a model, apart from any provider's form.
//
// Plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli::chat {

// Tokens. `input` includes those that the provider's cache read or wrote.
struct Usage {
  std::uint64_t input = 0, cache_read = 0, cache_write = 0, output = 0;
};

// A call that the model asks for. `name` is the provider's form of the tool's name; `arguments` is
// the model's text, which need not be JSON.
struct ToolCall {
  std::string id, name, arguments;
};

struct ToolResult {
  std::string id, text;
  bool is_error = false;
};

enum class Role : std::uint8_t { user, assistant, results };

struct Message {
  Role role = Role::user;
  std::string text;
  std::string
      wire{};  // of the assistant: what the provider sent, in its own JSON, for sending back
  std::vector<ToolCall> calls{};      // of the assistant
  std::vector<ToolResult> results{};  // of tools, in the order of the calls
  bool is_summary = false;            // of the user: stands for messages that were compacted
};

// Why a reply ended. cut: at the limit of output tokens; paused: the provider wants it back to go
// on; full: at the end of the model's context.
enum class End : std::uint8_t { answered, calls, cut, refused, paused, full };

struct Reply {
  std::string text, wire, refusal, model;
  std::vector<ToolCall> calls{};
  End end = End::answered;
  Usage usage{};
};

// A tool as the model is told of it; `schema` is JSON.
struct ToolSpec {
  std::string name, description, schema;
};

struct Request {
  std::string system;
  std::vector<Message> messages;
  std::vector<ToolSpec> tools{};
  bool may_call = true;  // false: the tools stay known, but the model must not call them
};

// Gets the visible text of a reply, part by part.
using OnText = std::function<void(std::string_view text)>;

}  // namespace gantry::cli::chat
