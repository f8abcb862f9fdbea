// The objects of a document class: an object is its document with objectId in front; values are
// relaxed Extended JSON, as stored.
#include "ops/document_include.hpp"
#include "ops/document_rows.hpp"
#include "ops/objects.hpp"

namespace gantry::data {
namespace {

class DocumentObjects final : public Objects {
 public:
  DocumentObjects(const Request& request, const Read& read) : request_(request), read_(read) {
    check_includes(read.shape);
  }

  ObjectPage page(std::size_t limit) override {
    Array found = read();
    const bool has_more = found.size() > limit;
    if (has_more) found.resize(limit);
    return {fit_documents(request_, found), has_more};
  }

  Rows all() override {
    const Array found = read();
    Rows rows = rows_of(request_, found);
    if (!read_.ids) return rows;
    for (const Value& document : found) rows.ids.emplace_back(document.find("objectId").text());
    return rows;
  }

  std::string truncated_includes() const override { return truncated_member(narrowed_); }

  std::optional<std::size_t> place_of(std::string_view,
                                      std::span<const std::string>) const override {
    return std::nullopt;
  }

  std::string flaw_of(std::string_view /*id*/) const override { return {}; }

 private:
  Array read() {
    Array found = read_documents(request_, read_).list;
    if (read_.ids) found = one_of_each_id(std::move(found));
    narrowed_ = include_pointers(request_, read_.shape, found);
    return found;
  }

  const Request& request_;
  const Read& read_;
  std::vector<NarrowedPointer> narrowed_;
};

}  // namespace

std::unique_ptr<Objects> document_objects(const Request& request, const Read& read) {
  return std::make_unique<DocumentObjects>(request, read);
}

}  // namespace gantry::data
