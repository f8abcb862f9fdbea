// $lookup: documents of another class, as an array in each document.
#include "pipeline/lookup.hpp"

namespace gantry::data::pipeline {
namespace {

class LookupStage final : public Stage {
 public:
  explicit LookupStage(Lookup lookup) : lookup_(std::move(lookup)) {}
  std::string_view name() const override { return "$lookup"; }
  StreamPtr open(StreamPtr input, Run& run, const Array& slots) const override {
    return open_lookup(lookup_, std::move(input), run, slots);
  }
  bool add_paths(std::set<std::string>& paths) const override {
    for (const Lookup::Let& let : lookup_.lets) let.value->add_paths(paths);
    if (lookup_.narrowing && !lookup_.narrowing->local.empty()) {
      paths.insert(dotted(lookup_.narrowing->local));
    }
    if (lookup_.as.size() > 1) paths.insert(dotted({lookup_.as.begin(), lookup_.as.end() - 1}));
    return true;
  }
  bool passes_others() const override { return true; }
  std::vector<StageList> inner() const override { return {lookup_.pipeline.all()}; }

 private:
  Lookup lookup_;
};

}  // namespace

StagePtr parse_lookup(std::string_view name, const Value& spec, Reading& reading) {
  return std::make_unique<LookupStage>(read_lookup(name, spec, reading));
}

}  // namespace gantry::data::pipeline
