// host/base/json_reader.hpp: parts for reading JSON with RapidJSON's GenericReader: a stream that
// slices of the text can be taken from, a fast encoding, and the base of a handler that watches the
// document while it is built.
//
// One reading is of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <rapidjson/document.h>

#include "sdk/contract/plain_length.hpp"

namespace gantry::host {

// An input stream over bytes of a known length, without a terminating NUL. Its position is exact at
// every event.
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

// An encoding for text in a TextStream that copies runs of plain characters at once. Its results
// are exactly those of UTF8<> with kParseValidateEncodingFlag.
struct PlainRuns : rapidjson::UTF8<> {};

// The base of a handler that passes every event to a document and stops at `max_depth` levels. The
// handler, `Watcher`, may hide scalar(), entered() and left(), which are called before the document
// gets the event, and Key() and String(); false ends the reading. It has more than 20 methods,
// because RapidJSON prescribes 13 of them.
template <class Watcher, class Document>
class DocumentBuilder {
 public:
  DocumentBuilder(Document& document, std::size_t max_depth)
      : document_(document), max_depth_(max_depth) {}

  bool too_deep() const { return depth_ > max_depth_; }

  bool Null() { return self().scalar() && document_.Null(); }
  bool Bool(bool b) { return self().scalar() && document_.Bool(b); }
  bool Int(int i) { return self().scalar() && document_.Int(i); }
  bool Uint(unsigned i) { return self().scalar() && document_.Uint(i); }
  bool Int64(std::int64_t i) { return self().scalar() && document_.Int64(i); }
  bool Uint64(std::uint64_t i) { return self().scalar() && document_.Uint64(i); }
  bool Double(double d) { return self().scalar() && document_.Double(d); }
  bool RawNumber(const char* s, rapidjson::SizeType n, bool copy) {
    return self().scalar() && document_.RawNumber(s, n, copy);
  }
  bool String(const char* s, rapidjson::SizeType n, bool) {
    return self().scalar() && document_.String(s, n, true);
  }
  bool Key(const char* s, rapidjson::SizeType n, bool) { return document_.Key(s, n, true); }
  bool StartObject() { return enter(false) && document_.StartObject(); }
  bool StartArray() { return enter(true) && document_.StartArray(); }
  bool EndObject(rapidjson::SizeType n) { return leave() && document_.EndObject(n); }
  bool EndArray(rapidjson::SizeType n) { return leave() && document_.EndArray(n); }

 protected:
  bool scalar() { return true; }
  bool entered(bool /*array*/) { return true; }  // depth() counts it
  bool left() { return true; }                   // depth() does not count it any more
  std::size_t depth() const { return depth_; }

 private:
  Watcher& self() { return static_cast<Watcher&>(*this); }
  bool enter(bool array) { return ++depth_ <= max_depth_ && self().entered(array); }
  bool leave() { return --depth_, self().left(); }

  Document& document_;
  const std::size_t max_depth_;
  std::size_t depth_ = 0;
};

}  // namespace gantry::host

RAPIDJSON_NAMESPACE_BEGIN

template <>
struct Transcoder<gantry::host::PlainRuns, UTF8<>> {
  // Called where the next character of a string is neither a quote nor an escape.
  template <class In, class Out>
  static bool Validate(In& in, Out& out) {
    const std::string_view rest = in.rest();
    const std::size_t run = gantry::contract::plain_length(rest);
    if (run == 0) return UTF8<>::Validate(in, out);
    std::memcpy(out.Push(static_cast<SizeType>(run)), rest.data(), run);
    in.skip(run);
    return true;
  }
  template <class In, class Out>
  static bool Transcode(In& in, Out& out) {
    return Validate(in, out);
  }
};

RAPIDJSON_NAMESPACE_END
