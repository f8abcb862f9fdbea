#include "plan/near_stage.hpp"

#include "values/sorting.hpp"

namespace gantry::data {
namespace {

constexpr std::string_view kName = "$near";

struct Placed {
  double distance;
  Value document;
};
using AllPlaced = std::vector<Placed, Metered<Placed>>;

class NearStream final : public pipeline::Stream {
 public:
  NearStream(pipeline::StreamPtr input, pipeline::Run& run, const filter::Near& near)
      : input_(std::move(input)), run_(run), near_(near) {}

  bool next(Value& document) override {
    if (input_) keeping(kName, [this] { gather(); });
    if (at_ == placed_.size()) return false;
    document = std::move(placed_[at_++].document);
    return true;
  }

 private:
  void gather() {
    for (Value document; input_->next(document);) {
      run_.tick();
      const auto distance = near_.distance(document);
      if (distance) placed_.push_back({*distance, std::move(document)});
    }
    input_.reset();
    sort_stably(placed_, [](const Placed& a, const Placed& b) { return a.distance < b.distance; });
  }

  pipeline::StreamPtr input_;
  pipeline::Run& run_;
  const filter::Near& near_;
  AllPlaced placed_;
  std::size_t at_ = 0;
};

class NearStage final : public pipeline::Stage {
 public:
  explicit NearStage(std::unique_ptr<const filter::Near> near) : near_(std::move(near)) {}
  std::string_view name() const override { return kName; }
  pipeline::StreamPtr open(pipeline::StreamPtr input, pipeline::Run& run,
                           const Array& /*slots*/) const override {
    return std::make_unique<NearStream>(std::move(input), run, *near_);
  }
  // The $match in front of it names the field.
  bool add_paths(std::set<std::string>& /*paths*/) const override { return true; }
  bool passes_others() const override { return true; }

 private:
  std::unique_ptr<const filter::Near> near_;
};

}  // namespace

std::unique_ptr<const pipeline::Stage> near_stage(std::unique_ptr<const filter::Near> near) {
  return std::make_unique<NearStage>(std::move(near));
}

}  // namespace gantry::data
