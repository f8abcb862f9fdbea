#include "scripted.hpp"

namespace scripted {

Script script;
Given given;

namespace {

gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  given = {api, host, nullptr};
  given.calls = given.service<gantry_call_api>(GANTRY_CALL_SERVICE);
  *self = &given;
  return script.create ? script.create() : GANTRY_OK;
}

gantry_status start(void*) { return script.start ? script.start() : GANTRY_OK; }

gantry_status invoke(void*, gantry_bytes, gantry_bytes, gantry_call* call) {
  return script.invoke ? script.invoke(call) : GANTRY_OK;
}

gantry_status stop(void*, std::uint64_t) { return script.stop ? script.stop() : GANTRY_OK; }

void destroy(void*) {}

}  // namespace

const gantry_plugin table = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy};

Scripted::Scripted() {
  script = {};
  given = {};
  options_.on_violation = [](const std::string&) {};
  make_host();
}

void Scripted::make_host(std::string_view flags) {
  const std::string manifest =
      R"({"name":"scripted","version":"1.0.0","abi":1,"needs":["gantry.call/1","gantry.config/1",)"
      R"("gantry.secret/1","gantry.catalog/1","gantry.invoke/1","gantry.input/1","gantry.task/1",)"
      R"("gantry.events/1","rows/1"],"offers":["s/1"],"flags":)" +
      std::string(flags) +
      R"(,"items":[{"kind":"tool","name":"t","description":"d",)"
      R"("inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},)"
      R"("outputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}},)"
      R"({"kind":"prompt","name":"p"},{"kind":"completion","name":"p"},)"
      R"({"kind":"resource","name":"r","uri":"r:1","mimeType":"text/plain"},)"
      R"({"kind":"resource_template","name":"l","uriTemplate":"l:{a}-{b}/c","lists":true},)"
      R"({"kind":"service","name":"s/1"}]})";
  host_.reset();
  host_ = std::make_unique<gantry::testing::FakeHost>(gantry::testing::Linked{table, manifest},
                                                      options_);
}

gantry::testing::Reply Scripted::run(std::function<gantry_status(gantry_call*)> body,
                                     std::string_view arguments,
                                     const gantry::testing::CallOptions& options) {
  script.invoke = std::move(body);
  return host_->call("t", arguments, options);
}

std::string Scripted::violations() const {
  std::string all;
  for (const std::string& text : host_->violations()) all += text + "\n";
  return all;
}

}  // namespace scripted
