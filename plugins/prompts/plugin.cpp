// The built-in prompts: starting points for a model that works with the operator's data.
#include <gantry/plugin.hpp>

#include "prompts/prompts.hpp"

namespace {

using gantry::Call;

class PromptsPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    services_.emplace(prompts::Services{*gantry::Data::of(host()), *gantry::Catalog::of(host())});
    return {};
  }

  void offer(gantry::Offer& offer) override {
    offer.handler("prompt", "data_conventions", [this](Call& call) {
      return prompts::data_conventions({*services_, call});
    });
    offer.handler("prompt", "explore_database", [this](Call& call) {
      return prompts::explore_database({*services_, call});
    });
    add(offer, "data_relations", prompts::data_relations);
    add(offer, "class_overview", prompts::class_overview);
    add(offer, "count_by", prompts::count_by);
    add(offer, "recent_activity", prompts::recent_activity);
    add(offer, "find_relationship", prompts::find_relationship);
    add(offer, "created_in_range", prompts::created_in_range);
  }

 private:
  // Offers a prompt with arguments and their completion.
  template <class Arguments>
  void add(gantry::Offer& offer, std::string_view name,
           prompts::Answer (*prompt)(const prompts::Model&, const Arguments&)) {
    offer.handler("prompt", name, [this, prompt](const Arguments& arguments, Call& call) {
      return prompt({*services_, call}, arguments);
    });
    offer.handler("completion", name, [this](const gantry::Completing& what, Call& call) {
      return prompts::complete({*services_, call}, what);
    });
  }

  std::optional<prompts::Services> services_;
};

}  // namespace

GANTRY_PLUGIN(PromptsPlugin)
