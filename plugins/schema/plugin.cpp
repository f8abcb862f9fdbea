// The schema family: which classes there are and what they are made of.
#include <gantry/plugin.hpp>

#include "tools/tools.hpp"

namespace {

class SchemaPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    data_ = gantry::Data::of(host());
    return data_ ? gantry::Status() : gantry::Status::failed("the host has no gantry.invoke/1");
  }

  void offer(gantry::Offer& offer) override {
    offer.handler("get_all_schemas",
                  [this](gantry::Call& call) { schema_tools::get_all_schemas(*data_, call); });
    offer.handler("get_schema",
                  [this](gantry::Call& call) { schema_tools::get_schema(*data_, call); });
  }

 private:
  std::optional<gantry::Data> data_;
};

}  // namespace

GANTRY_PLUGIN(SchemaPlugin)
