// The data engine as a plugin: offers the service gantry.data/1 over one database and the resources
// data://{class}/…, but no tools. Without a configured database it offers nothing, and the plugins
// that depend on it offer no tools.
#include <gantry/plugin.hpp>
#include <gantry/services.hpp>

#include "catalog/floor.hpp"
#include "edge/announcer.hpp"
#include "edge/export_link.hpp"
#include "edge/gates.hpp"
#include "edge/items.hpp"
#include "edge/settings.hpp"
#include "edge/writes_service.hpp"
#include "model/source.hpp"
#include "ops/layers_ops.hpp"
#include "ops/model_check.hpp"
#include "resources/resources.hpp"

namespace {

class DataPlugin final : public gantry::Plugin {
 public:
  using Plugin::Plugin;

  gantry::Status start() override {
    const auto settings = host().config<gantry::data::Settings>();
    if (!settings) return settings.status();
    if (settings->database.empty() && !settings->model.empty()) {
      return gantry::Status::invalid(
          "there is a model, " + settings->model +
          ", but no database that it describes; give one with --db FILE");
    }
    if (settings->database.empty()) {
      host().info("no database is configured; start with --db FILE to offer gantry.data/1");
      return {};
    }
    gantry::data::set_internal_fields(settings->internal_fields);
    gantry::data::StoreOptions options;
    options.built_in = settings->built_in;
    options.rights = gantry::data::open_gates();
    const bool may_write = options.rights.any();
    if (!settings->model.empty()) {
      auto model = gantry::data::model::Source::open(
          settings->model, [host = host()](const std::string& text) { host.warning(text); },
          {settings->accept_drafts});
      if (!model) return model.status();
      (*model)->check_with(gantry::data::refused_canonical_filters);
      options.model = std::move(*model);
    }
    auto service = gantry::data::Service::open(settings->database, std::move(options));
    if (!service) return service.status();
    service_ = std::move(*service);
    service_->warn_with([host = host()](const std::string& text) { host.warning(text); });
    tell_of_classes(settings->database, may_write);
    tell_of_views();
    service_->configure({settings->pushdown, settings->refuse_collscan, settings->expose_explain,
                         static_cast<std::size_t>(settings->answer_cache_bytes),
                         static_cast<std::size_t>(settings->query_memory_bytes),
                         settings->row_form == "parse" ? gantry::data::JsonDialect::parse
                                                       : gantry::data::JsonDialect::plain,
                         settings->sql});
    if (gantry::Status kept = keep_exports(*settings); !kept) return kept;
    if (gantry::Status kept = keep_writes(*settings, may_write); !kept) return kept;
    return announce({std::chrono::milliseconds(settings->watch_interval_ms),
                     std::chrono::milliseconds(settings->idle_close_ms)});
  }

  gantry::Status stop(std::chrono::steady_clock::time_point /*deadline*/) override {
    if (service_) service_->on_commit({});
    announcer_.reset();
    sweeper_.reset();
    return {};
  }

  void offer(gantry::Offer& offer) override {
    if (!service_) return;
    gantry::data::offer_service(offer, *service_, export_store_.get(), download_path_);
    gantry::data::offer_writes(offer, *service_);
    gantry::data::offer_resources(offer, *service_);
    gantry::data::offer_exports(offer, *service_, export_store_.get());
  }

 private:
  void tell_of_classes(const std::string& file, bool may_write) {
    const auto names = gantry::data::visible_class_names(
        *service_, {gantry::data::Budget{}, gantry::data::kDefaultAnswerBytes, {}});
    if (!names) return;
    const std::size_t count = names->size();
    const std::string line = "serves " + file + (may_write ? ", with writing: " : " read-only: ") +
                             std::to_string(count) + (count == 1 ? " class" : " classes");
    count == 0 ? host().warning(line + "; the database has no tables and no views")
               : host().info(line);
  }

  void tell_of_views() {
    const auto line =
        service_->run(R"({"op":"access"})", gantry::data::name_hidden_views,
                      {gantry::data::Budget{}, gantry::data::kDefaultAnswerBytes, {}});
    if (line && !line->meta.empty()) host().info(line->meta);
  }

  gantry::Status keep_exports(const gantry::data::Settings& settings) {
    if (settings.exports.empty()) return {};
    download_path_ = settings.download_path;
    gantry::data::ExportLimits bounds;
    bounds.lifetime = std::chrono::milliseconds(settings.export_lifetime_ms);
    export_store_ = std::make_unique<gantry::data::ExportStore>(settings.exports, bounds);
    auto sweeper = gantry::data::start_sweeper(*export_store_);
    if (!sweeper) return sweeper.status();
    sweeper_ = std::move(*sweeper);
    return {};
  }

  // Without a gate there is nothing new to record, and what was recorded can still be read.
  gantry::Status keep_writes(const gantry::data::Settings& settings, bool may_write) {
    if (settings.writes_directory.empty() || settings.writes_bytes == 0) return {};
    const auto secrets = gantry::Secrets::of(host());
    auto key = secrets ? secrets->read("writes") : gantry::Result<std::string>(std::string());
    if (!key || key->size() < gantry::data::Seal::kLeastSecret) {
      if (!may_write) return {};
      return gantry::Status::failed(
          "there is no key for the journal of writes: make the state directory writable, give "
          "plugins.data.secrets.writes at least 31 bytes, or set plugins.data.config.writes_bytes "
          "to 0");
    }
    service_->keep_journal(std::make_unique<gantry::data::Journal>(gantry::data::Journal::Options{
        settings.writes_directory,
        service_->store().name(),
        *std::move(key),
        {static_cast<std::uint64_t>(settings.writes_bytes),
         std::chrono::milliseconds(settings.writes_lifetime_ms)},
        [host = host()](const std::string& text) { host.warning(text); }}));
    return {};
  }

  gantry::Status announce(const gantry::data::Announcer::Times& times) {
    const auto events = gantry::Events::of(host());
    auto announcer = gantry::data::Announcer::start(host(), *events, *service_, times);
    if (!announcer) return announcer.status();
    announcer_ = std::move(*announcer);
    service_->on_commit([this] { announcer_->look_soon(); });
    return {};
  }

  std::unique_ptr<gantry::data::Service> service_;
  std::unique_ptr<gantry::data::ExportStore> export_store_;
  std::string download_path_;
  std::unique_ptr<gantry::data::Ticker> sweeper_;       // uses the export_store: destroyed first
  std::unique_ptr<gantry::data::Announcer> announcer_;  // uses the service: destroyed first
};

}  // namespace

GANTRY_PLUGIN(DataPlugin)
