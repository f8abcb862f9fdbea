// pipeline/streams.hpp: streams that several stages use.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "pipeline/stage.hpp"

namespace gantry::data::pipeline {

// Makes `document` the document of the next evaluations.
inline void look_at(expr::Context& context, const Value& document) {
  context.root = document;
  context.current = document;
}

// One output document per input document: `change(document, context)` modifies it in place.
template <class Change>
class ChangeStream final : public Stream {
 public:
  ChangeStream(StreamPtr input, expr::Context context, Change change)
      : input_(std::move(input)), context_(std::move(context)), change_(std::move(change)) {}
  bool next(Value& document) override {
    if (!input_->next(document)) return false;
    change_(document, context_);
    return true;
  }

 private:
  StreamPtr input_;
  expr::Context context_;
  Change change_;
};

template <class Change>
StreamPtr change_each(StreamPtr input, expr::Context context, Change change) {
  return std::make_unique<ChangeStream<Change>>(std::move(input), std::move(context),
                                                std::move(change));
}

// Streams documents that are already in memory.
class ListStream final : public Stream {
 public:
  explicit ListStream(Array documents) : documents_(std::move(documents)) {}
  bool next(Value& document) override {
    if (at_ == documents_.size()) return false;
    document = std::move(documents_[at_++]);
    return true;
  }

 private:
  Array documents_;
  std::size_t at_ = 0;
};

// The same for a list that is shared with other streams.
class SharedListStream final : public Stream {
 public:
  explicit SharedListStream(std::shared_ptr<const Array> documents)
      : documents_(std::move(documents)) {}
  bool next(Value& document) override {
    if (at_ == documents_->size()) return false;
    document = (*documents_)[at_++];
    return true;
  }

 private:
  std::shared_ptr<const Array> documents_;
  std::size_t at_ = 0;
};

}  // namespace gantry::data::pipeline
