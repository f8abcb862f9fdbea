// host/rpc/message/message.hpp: one parsed JSON-RPC message.
//
// A Message is parsed once and keeps slices of its text: the id and the arguments of a call are
// passed on as the sender wrote them, except zeros that RapidJSON misreads (numbers.hpp). The text
// must outlive the Message. One thread at a time.
//
// Message has more than twelve members: results of one parse, and the memory that they use.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "host/base/json_of.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::rpc {

inline constexpr int kMaxDepth = 20;

class Message {
 public:
  enum class Kind { request, notification, response, batch };

  // `text` is one message or, for batches, an array of them.
  explicit Message(std::string_view text) : text_(text) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  // Parses the text; returns an error or nothing. Levels beyond kMaxDepth, invalid UTF-8 and
  // invalid JSON: -32700. Valid JSON that is not a JSON-RPC message, or has a name twice in one
  // object: -32600. After an error id() is the id, if it could be read.
  std::optional<Error> parse();

  Kind kind() const { return kind_; }
  // parse() failed only because `params` exists and is not an object.
  bool has_wrong_params() const { return wrong_params_; }
  // The id's JSON text, "null" when there is none.
  std::string_view id() const { return id_.empty() ? std::string_view("null") : id_; }
  // The same in a form that is equal for equal ids.
  std::string id_key() const;
  std::string_view method() const { return method_; }
  // The member `params`, an object; null when absent.
  const rapidjson::Value* params() const { return params_; }
  // The members of a response, or null; id_text() is its id where that is a string.
  const rapidjson::Value* result() const;
  const rapidjson::Value* error() const;
  std::optional<std::string_view> id_text() const;
  // A member of params, or null.
  const rapidjson::Value* param(std::string_view name) const;
  // The JSON text of params.arguments as sent; empty when absent.
  std::string_view arguments_text() const { return arguments_; }
  // The member of params._meta with this name, or null.
  const rapidjson::Value* meta(std::string_view name) const;
  // The text of each element of a batch.
  const std::vector<std::string_view>& elements() const { return elements_; }

 private:
  friend class Recorder;
  using Pool = rapidjson::MemoryPoolAllocator<>;
  using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, Pool, Pool>;

  std::optional<Error> take_apart();
  void take_id(std::string_view text);  // an id that is no string or integer is none

  std::string_view text_;
  std::string mended_;  // the text with its numbers repaired, if that was needed
  // Memory for a message of usual size, so that parsing it allocates nothing.
  alignas(16) char values_[4096];
  alignas(16) char stack_[2048];
  Pool value_pool_{values_, sizeof values_};
  Pool stack_pool_{stack_, sizeof stack_};
  Document document_{&value_pool_, 512, &stack_pool_};

  Kind kind_ = Kind::request;
  bool wrong_params_ = false;
  std::string_view id_, method_, arguments_;
  const rapidjson::Value* params_ = nullptr;
  const rapidjson::Value* meta_ = nullptr;  // params._meta
  std::vector<std::string_view> elements_;
};

// An id in a form that is equal for equal ids: its type, then its decoded value.
std::string id_key(const rapidjson::Value& id);
// A member of an object, or null; null too when `value` is null or no object.
const rapidjson::Value* member(const rapidjson::Value* value, std::string_view name);
// The text of a JSON string, or nothing.
std::optional<std::string_view> text_of(const rapidjson::Value* value);

}  // namespace gantry::host::rpc
