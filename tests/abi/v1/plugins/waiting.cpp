// A plugin of version 1 in C++: answers later from a thread of its own, calls another's service.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "common.h"

GANTRY_MANIFEST(R"({"name":"v1-waiting","version":"1.0.0","abi":1,)"
                R"("needs":["gantry.call/1","gantry.invoke/1","v1.words/1"],"items":[)"
                R"({"kind":"tool","name":"v1_later","inputSchema":{"type":"object"}},)"
                R"({"kind":"tool","name":"v1_nested","inputSchema":{"type":"object"}}]})");

namespace {

class Waiting {
 public:
  gantry_status find(const gantry_host_api* api, gantry_host* host) {
    return v1_find(&tables_, api, host);
  }

  gantry_status tool(gantry_bytes name, gantry_call* call) {
    if (v1_is(name, "v1_nested")) return nested(call);
    if (!v1_is(name, "v1_later")) return GANTRY_NOT_FOUND;
    threads_.emplace_back([this, call] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      v1_answer(&tables_, call, v1_text("\"later\""));
      tables_.call->finish(call, GANTRY_OK);
    });
    return GANTRY_PENDING;
  }

  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  static void part(void* words, gantry_bytes, gantry_bytes body) {
    static_cast<std::string*>(words)->append(body.data, body.size);
  }

  gantry_status nested(gantry_call* call) {
    std::string words;
    gantry_invocation what{};
    what.size = sizeof(gantry_invocation);
    what.kind = v1_text("service");
    what.name = v1_text("v1.words/1");
    const gantry_status status =
        tables_.invoke->call(tables_.host, call, &what, gantry_answer{&part, &words});
    if (status < 0) return status;
    words = '"' + words + '"';
    return v1_answer(&tables_, call, v1_text(words.c_str()));
  }

  v1_self tables_{};
  std::vector<std::thread> threads_;  // not re-entrant: one call after the other comes in
};

gantry_status create(const gantry_host_api* api, gantry_host* host, void** self) {
  auto* const made = new Waiting;
  const gantry_status status = made->find(api, host);
  if (status < 0) {
    delete made;
  } else {
    *self = made;
  }
  return status;
}
gantry_status start(void*) { return GANTRY_OK; }
gantry_status invoke(void* self, gantry_bytes kind, gantry_bytes name, gantry_call* call) {
  if (!v1_is(kind, "tool")) return GANTRY_UNSUPPORTED;
  return static_cast<Waiting*>(self)->tool(name, call);
}
gantry_status stop(void* self, uint64_t) {
  static_cast<Waiting*>(self)->join();
  return GANTRY_OK;
}
void destroy(void* self) { delete static_cast<Waiting*>(self); }

}  // namespace

const gantry_plugin gantry_plugin_v1 = {
    GANTRY_MAGIC, GANTRY_ABI_MINOR, sizeof(gantry_plugin), create, start, invoke, stop, destroy,
};
