// The data engine as a plugin: offers the service gantry.data/1 over one database, and no tools.
// Without a database it offers nothing, and the families that need it show nothing.
#include <gantry/plugin.hpp>
#include <gantry/services.hpp>

#include <charconv>

#include "ops/error_details.hpp"
#include "ops/service.hpp"

namespace {

using gantry::Call;

class DataPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    const auto config = gantry::Json::parse(host().config_text());
    if (!config) return config.status();
    const auto database = config->find("database");
    const std::string path = database ? database->as_string().value_or("") : "";
    if (path.empty()) {
      host().info("no database is configured; start with --db FILE to offer gantry.data/1");
      const gantry_status withdrawn = host().offer("[]");
      return withdrawn < 0 ? gantry::Status(withdrawn, "the offer could not be withdrawn")
                           : gantry::Status();
    }
    auto service = gantry::data::Service::open(path);
    if (!service) return service.status();
    service_ = std::move(*service);
    return {};
  }

  void offer(gantry::Offer& offer) override {
    offer.service("gantry.data/1", [this](Call& call) { run(call); });
  }

 private:
  void run(Call& call) {
    if (!service_) {
      (void)call.fail("store_error", "No database is configured");
      return;
    }
    gantry::data::Budget budget;
    if (const auto deadline = call.deadline()) {
      budget.deadline_ns = gantry::data::database_deadline(
          gantry::data::Budget::now_ns(),
          deadline->time_since_epoch() / std::chrono::nanoseconds(1));
    }
    budget.cancelled = [&call] { return call.cancelled(); };
    const auto reply = service_->run(call.arguments(), budget, cap_of(call));
    if (!reply) {
      const auto& error = reply.error();
      if (error.code == "internal_error") host().error(error.message);
      const bool internal = error.code == "internal_error";
      (void)call.fail(error.code, internal ? "Internal error" : error.message,
                      gantry::data::error_details(error));
      return;
    }
    if (!reply->rows.empty()) (void)call.part("rows", reply->rows);
    (void)call.part("meta", reply->meta);
  }

  static std::size_t cap_of(const Call& call) {
    std::size_t cap = 4u << 20;
    const std::string_view text = call.property("max_answer_bytes");
    std::from_chars(text.data(), text.data() + text.size(), cap);
    return cap;
  }

  std::unique_ptr<gantry::data::Service> service_;
};

}  // namespace

GANTRY_PLUGIN(DataPlugin)
