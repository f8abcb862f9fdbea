// host/rpc/message/recorder.hpp (private): builds a Message's document and records the positions of
// its parts in the text.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// A RapidJSON input stream over bytes of a known length, without a terminating NUL. Its position is
// exact at every event.
class TextStream {
 public:
  using Ch = char;

  explicit TextStream(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  Ch Peek() const { return at_ != end_ ? *at_ : '\0'; }
  Ch Take() { return at_ != end_ ? *at_++ : '\0'; }
  std::size_t Tell() const { return static_cast<std::size_t>(at_ - begin_); }
  std::string_view from(std::size_t start) const { return {begin_ + start, Tell() - start}; }
  char byte(std::size_t i) const { return begin_[i]; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  void skip(std::size_t bytes) { at_ += bytes; }

  // Required by RapidJSON's stream concept for writing in place; never called.
  Ch* PutBegin() { return nullptr; }
  void Put(Ch) {}
  void Flush() {}
  std::size_t PutEnd(Ch*) { return 0; }

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
};

// Passes every event to the document, stops at kMaxDepth and keeps the slices of `id`,
// `params.arguments` and, in a batch, of each element. More than 20 methods, because RapidJSON
// prescribes 13 of them.
class Recorder {
 public:
  using Document = Message::Document;

  Recorder(Message& message, Document& document, const TextStream& stream)
      : message_(message), document_(document), stream_(stream) {}

  bool too_deep() const { return too_deep_; }

  bool Null() { return document_.Null() && scalar(); }
  bool Bool(bool b) { return document_.Bool(b) && scalar(); }
  bool Int(int i) { return document_.Int(i) && scalar(); }
  bool Uint(unsigned i) { return document_.Uint(i) && scalar(); }
  bool Int64(std::int64_t i) { return document_.Int64(i) && scalar(); }
  bool Uint64(std::uint64_t i) { return document_.Uint64(i) && scalar(); }
  bool Double(double d) { return document_.Double(d) && scalar(); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool copy) {
    return document_.RawNumber(s, n, copy) && scalar();
  }
  bool String(const char* s, rapidjson::SizeType n, bool) {
    return is_text(s, n) && document_.String(s, n, true) && scalar();
  }
  bool Key(const char* s, rapidjson::SizeType n, bool) {
    note_key({s, n});
    return is_text(s, n) && document_.Key(s, n, true);
  }
  bool StartObject() { return enter() && document_.StartObject(); }
  bool EndObject(rapidjson::SizeType n) { return document_.EndObject(n) && leave(); }
  bool StartArray() { return enter() && document_.StartArray(); }
  bool EndArray(rapidjson::SizeType n) { return document_.EndArray(n) && leave(); }

 private:
  enum class Slot { none, id, params, arguments };

  bool enter() {
    if (++depth_ > kMaxDepth) return !(too_deep_ = true);
    const std::size_t start = stream_.Tell() - 1;
    if (depth_ == 1) {
      batch_ = stream_.byte(start) == '[';
    } else if (depth_ == 2) {
      if (batch_) element_ = start;
      inside_params_ = !batch_ && slot_ == Slot::params;
    } else if (depth_ == 3 && inside_params_ && slot_ == Slot::arguments) {
      arguments_ = start;
    }
    return true;
  }

  bool leave() {
    --depth_;
    if (depth_ == 1 && batch_) {
      message_.elements_.push_back(stream_.from(element_));
    } else if (depth_ == 1) {
      inside_params_ = false;
      slot_ = Slot::none;
    } else if (depth_ == 2 && inside_params_ && slot_ == Slot::arguments) {
      message_.arguments_ = stream_.from(arguments_);
      slot_ = Slot::none;
    }
    return true;
  }

  void note_key(std::string_view name) {
    if (depth_ == 1) {
      slot_ = name == "id" ? Slot::id : name == "params" ? Slot::params : Slot::none;
      key_end_ = stream_.Tell();
    } else if (depth_ == 2 && inside_params_) {
      slot_ = name == "arguments" ? Slot::arguments : Slot::none;
    }
  }

  bool scalar() {
    if (depth_ == 1 && batch_) message_.elements_.push_back({});  // never a message
    if (depth_ == 1 && slot_ == Slot::id) {
      std::size_t start = key_end_;
      while (stream_.byte(start) == ':' || static_cast<unsigned char>(stream_.byte(start)) <= ' ')
        ++start;
      message_.id_ = stream_.from(start);
      slot_ = Slot::none;
    }
    return true;
  }

  // The reader checks the bytes of the text, but lets an escape make half a surrogate pair.
  static bool is_text(const char* s, rapidjson::SizeType n) {
    const std::string_view text(s, n);
    for (auto at = text.find('\xED'); at != text.npos; at = text.find('\xED', at + 1)) {
      if (at + 1 < n && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return false;
    }
    return true;
  }

  Message& message_;
  Document& document_;
  const TextStream& stream_;
  int depth_ = 0;
  bool too_deep_ = false, batch_ = false, inside_params_ = false;
  Slot slot_ = Slot::none;
  std::size_t key_end_ = 0, element_ = 0, arguments_ = 0;
};

}  // namespace gantry::host::rpc
