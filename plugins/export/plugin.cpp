// The export family: rows as text for people and programs, through the service gantry.data/1.
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class ExportPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    data_ = gantry::Data::of(host());
    return data_ ? gantry::Status() : gantry::Status::failed("the host has no gantry.invoke/1");
  }

  void offer(gantry::Offer& offer) override {
    offer.handler("export_data",
                  [this](gantry::Call& call) { exporting::export_data(*data_, call); });
  }

 private:
  std::optional<gantry::Data> data_;
};

}  // namespace

GANTRY_PLUGIN(ExportPlugin)
