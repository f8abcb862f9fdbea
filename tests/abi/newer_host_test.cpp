// A simulated host of a later minor version: its tables are longer than those that the frozen
// plugins were built with, and it enters kinds that they do not know.
#include <dlfcn.h>

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include <gantry/abi/abi.h>

// The object behind the opaque handles of this host.
struct gantry_host {
  std::string log;
  const void* call = nullptr;
};
struct gantry_call {
  std::string arguments, json, error;
};

namespace {

// A table with members after its last one; reading them as functions would be noticed.
template <class Table>
struct Longer {
  Table v1;
  void* later[4] = {nullptr, nullptr, nullptr, nullptr};
};

gantry_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }
std::string text(gantry_bytes b) { return {b.data, b.size}; }

const void* service(gantry_host* host, const char* id) {
  return std::string_view(id) == GANTRY_CALL_SERVICE ? host->call : nullptr;
}
void log(gantry_host* host, int32_t, gantry_bytes line) { host->log += text(line) + "\n"; }
gantry_status offer(gantry_host*, gantry_bytes) { return GANTRY_OK; }

gantry_status add(gantry_call* call, gantry_bytes part) {
  call->json += text(part);
  return GANTRY_OK;
}
gantry_status good(gantry_call*) { return GANTRY_OK; }
gantry_status later(gantry_call*, void (*)(void*), void*) { return GANTRY_OK; }

Longer<gantry_call_api> call_table() {
  Longer<gantry_call_api> table{};
  gantry_call_api& api = table.v1;
  api.size = sizeof(table);
  api.arguments = [](const gantry_call* call) { return bytes(call->arguments); };
  api.json_begin = good;
  api.json_raw = add;
  api.json_end = good;
  api.fail = [](gantry_call* call, gantry_bytes code, gantry_bytes, gantry_bytes) {
    call->error = text(code);
    return gantry_status{GANTRY_FAILED};
  };
  api.progress = [](gantry_call*, double, double, gantry_bytes) {
    return gantry_status{GANTRY_OK};
  };
  api.log = [](gantry_call*, int32_t, gantry_bytes) { return gantry_status{GANTRY_OK}; };
  api.cancelled = [](const gantry_call*) { return int32_t{0}; };
  api.on_cancel = later;
  api.off_cancel = later;
  return table;
}

class NewerHost : public ::testing::Test {
 protected:
  NewerHost() {
    host_.call = &calls_;
    api_.v1 = {sizeof(api_), 9, 0, service, log, offer};
    library_ = dlopen(GANTRY_BINARY_DIR "/abi-v1/classic.so", RTLD_NOW | RTLD_LOCAL);
    plugin_ = library_ == nullptr
                  ? nullptr
                  : static_cast<const gantry_plugin*>(dlsym(library_, "gantry_plugin_v1"));
  }
  ~NewerHost() override {
    if (library_ != nullptr) dlclose(library_);
  }
  gantry_status enter(std::string_view kind, std::string_view name, gantry_call& call) {
    return plugin_->invoke(self_, bytes(kind), bytes(name), &call);
  }

  gantry_host host_;
  Longer<gantry_call_api> calls_ = call_table();
  Longer<gantry_host_api> api_{};
  void* library_ = nullptr;
  const gantry_plugin* plugin_ = nullptr;
  void* self_ = nullptr;
};

TEST_F(NewerHost, RunsAPluginOfVersionOne) {
  ASSERT_NE(plugin_, nullptr) << dlerror();
  EXPECT_EQ(plugin_->magic, GANTRY_MAGIC);
  EXPECT_TRUE(GANTRY_HAS(plugin_, gantry_plugin, destroy));
  ASSERT_EQ(plugin_->create(&api_.v1, &host_, &self_), GANTRY_OK) << host_.log;
  ASSERT_EQ(plugin_->start(self_), GANTRY_OK);
  EXPECT_NE(host_.log.find("v1-classic has started"), std::string::npos);
  gantry_call echo{R"({"a":1})", {}, {}};
  EXPECT_EQ(enter("tool", "v1_echo", echo), GANTRY_OK);
  EXPECT_EQ(echo.json, R"({"got":{"a":1}})");
  gantry_call hooks{"{}", {}, {}};
  EXPECT_EQ(enter("tool", "v1_hooks", hooks), GANTRY_OK);
  gantry_call fails{"{}", {}, {}};
  EXPECT_EQ(enter("tool", "v1_fail", fails), GANTRY_FAILED);
  EXPECT_EQ(fails.error, "invalid_argument");
  EXPECT_EQ(plugin_->stop(self_, 0), GANTRY_OK);
  plugin_->destroy(self_);
}

TEST_F(NewerHost, GetsUnsupportedForAKindOfTheFuture) {
  ASSERT_NE(plugin_, nullptr) << dlerror();
  ASSERT_EQ(plugin_->create(&api_.v1, &host_, &self_), GANTRY_OK) << host_.log;
  ASSERT_EQ(plugin_->start(self_), GANTRY_OK);
  gantry_call call{"{}", {}, {}};
  EXPECT_EQ(enter("dream", "v1_echo", call), GANTRY_UNSUPPORTED);
  EXPECT_EQ(enter("tool", "missing", call), GANTRY_NOT_FOUND);
  plugin_->stop(self_, 0);
  plugin_->destroy(self_);
}

TEST_F(NewerHost, IsTooOldWhenItsTableEndsBeforeVersionOnes) {
  ASSERT_NE(plugin_, nullptr) << dlerror();
  calls_.v1.size = offsetof(gantry_call_api, off_cancel);
  EXPECT_EQ(plugin_->create(&api_.v1, &host_, &self_), GANTRY_UNSUPPORTED);
  EXPECT_NE(host_.log.find("too short"), std::string::npos) << host_.log;
}

}  // namespace
