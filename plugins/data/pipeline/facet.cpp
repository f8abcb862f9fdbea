// $facet: several pipelines over the same documents, their results in one document.
#include "pipeline/spec.hpp"
#include "pipeline/stages.hpp"
#include "pipeline/streams.hpp"

namespace gantry::data::pipeline {
namespace {

struct Facet {
  std::string name;
  Stages stages;
};

class FacetStream final : public Stream {
 public:
  FacetStream(StreamPtr input, Run& run, const std::vector<Facet>& facets, Array slots)
      : input_(std::move(input)), run_(run), facets_(facets), slots_(std::move(slots)) {}

  bool next(Value& document) override {
    if (!input_) return false;
    keeping("$facet", [&] { document = facets(); });
    return true;
  }

 private:
  Value facets() {
    drain(*input_, *all_);
    input_.reset();
    ObjectBuilder result;
    for (const Facet& facet : facets_) {
      const StreamPtr stream =
          open_pipeline(facet.stages, std::make_unique<SharedListStream>(all_), run_, slots_);
      Array documents;
      drain(*stream, documents);
      result.add(facet.name, Value::array(std::move(documents)));
    }
    all_.reset();
    return result.build();
  }

  void drain(Stream& stream, Array& documents) {
    for (Value document; stream.next(document);) {
      run_.tick();
      documents.push_back(std::move(document));
    }
  }

  StreamPtr input_;
  Run& run_;
  const std::vector<Facet>& facets_;
  Array slots_;
  std::shared_ptr<Array> all_ = std::make_shared<Array>();  // still held here if memory runs out
};

class FacetStage final : public Stage {
 public:
  explicit FacetStage(std::vector<Facet> facets) : facets_(std::move(facets)) {}
  std::string_view name() const override { return "$facet"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return std::make_unique<FacetStream>(std::move(input), run, facets_, slots);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    bool is_some = true;
    for (const Facet& facet : facets_) is_some = add_pipeline_paths(facet.stages, paths) && is_some;
    return is_some;
  }
  std::vector<StageList> inner() const override {
    std::vector<StageList> all;
    for (const Facet& facet : facets_) all.push_back(listed(facet.stages));
    return all;
  }

 private:
  std::vector<Facet> facets_;
};

}  // namespace

StagePtr parse_facet(std::string_view name, const Value& spec, Reading& reading) {
  if (reading.in_facet) refuse(name, "may not stand inside another $facet");
  if (!spec.is_object() || spec.members().empty()) {
    refuse(name, "wants an object of pipelines, at least one");
  }
  std::vector<Facet> facets;
  for (const Member& member : spec.members()) {
    check_field_name(name, member.name);
    if (member.name.empty()) refuse(name, "the name of a pipeline must not be empty");
    if (!member.value.is_array()) {
      refuse(name,
             "'" + member.name + "' must be an array of stages, not " + kind_of(member.value));
    }
    Reading inner{reading.classes, reading.variables, reading.depth + 1, true};
    facets.push_back({member.name, parse_pipeline(member.value, inner)});
  }
  return std::make_unique<FacetStage>(std::move(facets));
}

}  // namespace gantry::data::pipeline
