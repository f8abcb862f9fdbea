// Runs a $lookup: documents are read in batches. If a value selects the other class's documents,
// one scan serves a whole batch.
#include <algorithm>

#include "pipeline/foreign_index.hpp"
#include "pipeline/lookup.hpp"
#include "pipeline/streams.hpp"
#include "pipeline/walk.hpp"

namespace gantry::data::pipeline {
namespace {

constexpr std::string_view kLookup = "$lookup";
constexpr std::size_t kFirstBatch = 16;  // small, for a $limit that follows
constexpr std::size_t kLastBatch = 1000;

class LookupStream final : public Stream {
 public:
  LookupStream(const Lookup& lookup, StreamPtr input, Run& run, const Array& slots)
      : lookup_(lookup),
        input_(std::move(input)),
        run_(run),
        context_(make_context(run, slots)),
        index_(run) {}

  bool next(Value& document) override {
    if (at_ == batch_.size()) keeping(kLookup, [this] { read_batch(); });
    if (at_ == batch_.size()) return false;
    Item& item = batch_[at_++];
    document = std::move(item.document);
    keeping(kLookup, [&] { set_at(document, lookup_.as, joined(document, item.values)); });
    return true;
  }

 private:
  // `values`: the values that select documents of the other class, if there is such a condition.
  struct Item {
    Value document;
    Array values;
  };

  void read_batch() {
    batch_.clear();
    at_ = 0;
    index_.clear();
    is_narrow_ = lookup_.narrowing.has_value();
    // The result of $documents may depend on each document's variables.
    const bool is_fixed = lookup_.pipeline.has_class() || lookup_.lets.empty();
    const std::size_t most = is_fixed ? batch_size_ : 1;
    for (Value document; batch_.size() < most && index_.wanted() < kLastBatch;) {
      if (!input_->next(document)) break;
      run_.tick();
      add(std::move(document));
    }
    batch_size_ = std::min(batch_size_ * 4, kLastBatch);
    if (is_narrow_ && !batch_.empty()) fetch();
  }

  void fetch() {
    const filter::Path& path = lookup_.narrowing->foreign;
    if (lookup_.pipeline.has_class()) {
      return index_.fetch(*index_.scan(lookup_.pipeline.from(), path, lookup_.pipeline.wanted()),
                          path);
    }
    set_variables(batch_.front().document);
    index_.fetch(*lookup_.pipeline.scan(run_, context_.slots), path);
  }

  void add(Value document) {
    Array values;
    if (lookup_.narrowing) values = values_of(document);
    for (const Value& value : values) {
      run_.tick();
      index_.want(value);
    }
    batch_.push_back({std::move(document), std::move(values)});
  }

  Array values_of(const Value& document) {
    Array values;
    if (!lookup_.narrowing->local.empty()) {
      visit_values(document, lookup_.narrowing->local,
                   [&](const Value& value) { values.push_back(value); });
      if (values.empty()) values.push_back(Value::null());
      return values;
    }
    set_variables(document);
    values.push_back(lookup_.narrowing->variable->evaluate(context_));
    // An array may equal the result of a path through arrays, which no stored value equals.
    if (values.front().is_array()) is_narrow_ = false;
    return values;
  }

  void set_variables(const Value& document) {
    look_at(context_, document);
    for (const Lookup::Let& let : lookup_.lets) {
      Value value = let.value->evaluate(context_);
      context_.slots[let.slot] = std::move(value);
    }
    look_at(context_, Value());
  }

  Value joined(const Value& document, const Array& values) {
    if (is_narrow_) {
      if (lookup_.pipeline.is_empty()) return Value::array(index_.documents_of(values));
      return through_pipeline(document, std::make_unique<ListStream>(index_.documents_of(values)));
    }
    if (!lookup_.lets.empty()) {
      set_variables(document);
      return through_pipeline(document, foreign());
    }
    if (always_.is_missing()) {  // the same for all documents
      always_ = through_pipeline(document, scan());
    }
    return always_;
  }

  Value through_pipeline(const Value& document, StreamPtr foreign_documents) {
    set_variables(document);
    const StreamPtr stream =
        lookup_.pipeline.open(std::move(foreign_documents), run_, context_.slots);
    Array found;
    for (Value one; stream->next(one);) {
      run_.tick();
      found.push_back(std::move(one));
    }
    return Value::array(std::move(found));
  }

  StreamPtr scan() { return lookup_.pipeline.scan(run_, context_.slots); }

  // All documents of the other class; cached for the next call if they are not too many.
  StreamPtr foreign() {
    if (!lookup_.pipeline.has_class() || is_too_large_) return scan();
    if (!foreign_) load_foreign();
    if (!foreign_) return scan();
    return std::make_unique<SharedListStream>(foreign_);
  }

  void load_foreign() {
    const std::size_t most = run_.spare();
    Array documents;
    std::size_t weight = 0;
    const StreamPtr stream = scan();
    for (Value document; stream->next(document);) {
      run_.tick();
      weight += weight_of(document);
      if (weight > most) {
        is_too_large_ = true;
        return;
      }
      documents.push_back(std::move(document));
    }
    foreign_ = std::make_shared<const Array>(std::move(documents));
  }

  const Lookup& lookup_;
  StreamPtr input_;
  Run& run_;
  expr::Context context_;
  ForeignIndex index_;
  std::vector<Item, Metered<Item>> batch_;
  std::size_t at_ = 0;
  std::size_t batch_size_ = kFirstBatch;
  bool is_narrow_ = false;
  bool is_too_large_ = false;
  std::shared_ptr<const Array> foreign_;
  Value always_;
};

}  // namespace

StreamPtr open_lookup(const Lookup& lookup, StreamPtr input, Run& run, const Array& slots) {
  return std::make_unique<LookupStream>(lookup, std::move(input), run, slots);
}

}  // namespace gantry::data::pipeline
