#include <rapidjson/document.h>

#include "sdk/contract/text.hpp"
#include "tools/gantry/host/exchange.hpp"
#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

struct Request {
  std::string path;
  std::string body;  // of a POST; empty: a GET
};

// The path and body of a method of the control socket.
Request request_of(const std::string& method, const std::string& params) {
  if (method == "host.info") return {"/admin/host", {}};
  if (method == "plugin.list") return {"/admin/plugins", {}};
  if (method == "plugin.load") return {"/admin/plugins", params};
  auto given = parsed(params);
  if (method == "audit.find")
    return {"/admin/audit/" + contract::percent_encoded(text_at(given, "id")), {}};
  const std::string name = contract::percent_encoded(text_at(given, "name"));
  if (method == "plugin.info") return {"/admin/plugins/" + name, {}};
  given.RemoveMember("name");
  return {"/admin/plugins/" + name + "/" + method.substr(method.find('.') + 1), compact(given)};
}

bool has_path(const std::string& method) {
  return method == "host.info" || method == "audit.find" || method.starts_with("plugin.");
}

class HttpHost final : public Host {
 public:
  HttpHost(std::string base, std::string key) : base_(std::move(base)), key_(std::move(key)) {}

  Result<std::string> ask(const std::string& method, const std::string& params) override {
    if (method == "plugin.reload" && text_at(parsed(params), "name").empty()) return reload_all();
    const bool is_rpc = !has_path(method);
    const auto answer = send(is_rpc ? Request{"/admin/rpc", rpc_request(method, params)}
                                    : request_of(method, params));
    if (!answer) return answer.status();
    if (answer->status == 200) return is_rpc ? result_of(answer->body) : answer->body;
    return refused(answer->status, answer->body);
  }

 private:
  // /admin has no path to reload all plugins, so it reloads them one by one.
  Result<std::string> reload_all() {
    const auto all = ask("plugin.list", "{}");
    if (!all) return all;
    for (const std::string& name : names_of(parsed(*all))) {
      if (auto done = ask("plugin.reload", object({{"name", name}})); !done) return done;
    }
    return ask("plugin.list", "{}");
  }

  Result<HttpAnswer> send(const Request& request) const {
    HttpRequest http{.url = base_ + request.path,
                     .headers = {"Content-Type: application/json"},
                     .body = request.body};
    if (!key_.empty()) http.headers.push_back("Authorization: Bearer " + key_);
    auto answer = exchange(http);
    if (answer || answer.status().code() != GANTRY_NOT_FOUND) return answer;
    return Status(GANTRY_NOT_FOUND, "no host can be asked at " + base_ + ": " + answer.message());
  }

  Status refused(long status, const std::string& body) const {
    if (status == 401) {
      return {GANTRY_NOT_FOUND, key_.empty()
                                    ? "an admin's key is needed: give it with --key KEY or "
                                      "in GANTRY_ADMIN_KEY"
                                    : "the host does not know this key: it must be the host's "
                                      "GANTRY_ADMIN_KEY, or of a profile with permissions admin"};
    }
    const std::string why = message_of(parsed(body));
    if (status == 404 && why.find("the endpoint is /mcp") != std::string::npos) {
      return {GANTRY_NOT_FOUND,
              "the host at " + base_ + " has no admin: start it with GANTRY_ADMIN_KEY set"};
    }
    if (why.empty()) {
      return {GANTRY_NOT_FOUND,
              base_ + " answered " + std::to_string(status) + " and is no Gantry host"};
    }
    return Status::failed(why);
  }

  const std::string base_, key_;
};

}  // namespace

Result<std::unique_ptr<Host>> http_host(const std::string& url, const std::string& key) {
  auto base = checked_base(url, key);
  if (!base) return base.status();
  return std::unique_ptr<Host>(new HttpHost(std::move(*base), key));
}

}  // namespace gantry::cli
