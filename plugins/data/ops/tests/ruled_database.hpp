// ops/tests/ruled_database.hpp: a small database with a model, read as agents.
#pragma once

#include <fstream>

#include "model/source.hpp"
#include "ops/tests/small_database.hpp"
#include "policy/agent_scope.hpp"

namespace gantry::data {

class RuledDatabase : public SmallDatabase {
 protected:
  // `classes`: the JSON of one model file each.
  void make_ruled(const char* sql, const std::vector<std::string>& classes) {
    make(sql);
    service_.reset();
    model_ = path_.string() + ".model";
    std::filesystem::remove_all(model_);
    std::filesystem::create_directory(model_);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      std::ofstream(model_ / (std::to_string(i) + ".json")) << classes[i];
    }
    open({});
  }
  // Anew, with nothing in memory.
  void open(const ReadSettings& settings) {
    auto source = model::Source::open(model_.string(), [](const std::string&) {});
    ASSERT_TRUE(source) << source.message();
    StoreOptions options;
    options.model = std::move(*source);
    options.rights = rights_;
    auto service = Service::open(path_.string(), std::move(options));
    ASSERT_TRUE(service) << service.message();
    service_ = std::move(*service);
    configure(settings, JsonDialect::plain);
  }
  void TearDown() override {
    SmallDatabase::TearDown();
    if (!model_.empty()) std::filesystem::remove_all(model_);
  }

  // The members of an agent_scope, without braces and fingerprint.
  void act_as(const std::string& members) {
    auto scope = parse_agent_scope("{" + members + (members.empty() ? "" : ",") +
                                   R"("fingerprint":"0123456789abcdef"})");
    ASSERT_TRUE(scope) << scope.message();
    rules_ = std::make_shared<const Rules>(std::move(*scope));
  }

  std::filesystem::path model_;
  EditRights rights_;  // of the service that open() opens
};

}  // namespace gantry::data
