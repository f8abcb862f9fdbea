// host/rpc/message/recorder.hpp (private): records the parts of a message's text while its document
// is built.
#pragma once

#include <cstddef>
#include <string_view>

#include "host/base/json_reader.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

// Keeps the slices of `id`, `params.arguments` and, in a batch, of each element.
class Recorder : public DocumentBuilder<Recorder, Message::Document> {
 public:
  Recorder(Message& message, Message::Document& document, const TextStream& stream)
      : DocumentBuilder(document, kMaxDepth), message_(message), stream_(stream) {}

  bool entered(bool array) {
    const std::size_t start = stream_.Tell() - 1;
    if (depth() == 1) {
      batch_ = array;
    } else if (depth() == 2) {
      if (batch_) element_ = start;
      inside_params_ = !batch_ && slot_ == Slot::params;
    } else if (depth() == 3 && inside_params_ && slot_ == Slot::arguments) {
      arguments_ = start;
    }
    return true;
  }

  bool left() {
    if (depth() == 1 && batch_) {
      message_.elements_.push_back(stream_.from(element_));
    } else if (depth() == 1) {
      inside_params_ = false;
      slot_ = Slot::none;
    } else if (depth() == 2 && inside_params_ && slot_ == Slot::arguments) {
      message_.arguments_ = stream_.from(arguments_);
      slot_ = Slot::none;
    }
    return true;
  }

  bool String(const char* s, rapidjson::SizeType n, bool copy) {
    return is_text({s, n}) && DocumentBuilder::String(s, n, copy);
  }

  bool Key(const char* s, rapidjson::SizeType n, bool copy) {
    const std::string_view name(s, n);
    if (depth() == 1) {
      slot_ = name == "id" ? Slot::id : name == "params" ? Slot::params : Slot::none;
      key_end_ = stream_.Tell();
    } else if (depth() == 2 && inside_params_) {
      slot_ = name == "arguments" ? Slot::arguments : Slot::none;
    }
    return is_text(name) && DocumentBuilder::Key(s, n, copy);
  }

  bool scalar() {
    if (depth() == 1 && batch_) message_.elements_.push_back({});  // never a message
    if (depth() == 1 && slot_ == Slot::id) {
      std::size_t start = key_end_;
      while (stream_.byte(start) == ':' || static_cast<unsigned char>(stream_.byte(start)) <= ' ')
        ++start;
      message_.take_id(stream_.from(start));
      slot_ = Slot::none;
    }
    return true;
  }

 private:
  enum class Slot { none, id, params, arguments };

  // The reader checks the bytes of the text, but lets an escape make half a surrogate pair.
  static bool is_text(std::string_view text) {
    for (auto at = text.find('\xED'); at != text.npos; at = text.find('\xED', at + 1)) {
      if (at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) >= 0xA0) return false;
    }
    return true;
  }

  Message& message_;
  const TextStream& stream_;
  bool batch_ = false, inside_params_ = false;
  Slot slot_ = Slot::none;
  std::size_t key_end_ = 0, element_ = 0, arguments_ = 0;
};

}  // namespace gantry::host::rpc
