#include <curl/curl.h>

#include "tools/gantry/host/host.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr long kConnectSeconds = 5, kSeconds = 120;
constexpr std::size_t kMaxAnswer = 64u << 20;

struct Handle {
  CURL* curl = curl_easy_init();
  curl_slist* headers = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
  }
  void header(const std::string& line) { headers = curl_slist_append(headers, line.c_str()); }
};

std::size_t take(char* data, std::size_t, std::size_t size, void* out) {
  auto& body = *static_cast<std::string*>(out);
  if (body.size() + size > kMaxAnswer) return 0;
  body.append(data, size);
  return size;
}

struct Request {
  std::string path;
  std::string body;  // of a POST; empty: a GET
};

std::string escaped(const std::string& text) {
  char* out = curl_easy_escape(nullptr, text.c_str(), static_cast<int>(text.size()));
  std::string copy = out == nullptr ? "" : out;
  curl_free(out);
  return copy;
}

// The path and body of a method of the control socket.
Request request_of(const std::string& method, const std::string& params) {
  if (method == "host.info") return {"/admin/host", {}};
  if (method == "plugin.list") return {"/admin/plugins", {}};
  if (method == "plugin.load") return {"/admin/plugins", params};
  auto given = parsed(params);
  const std::string name = escaped(text_at(given, "name"));
  if (method == "plugin.info") return {"/admin/plugins/" + name, {}};
  given.RemoveMember("name");
  return {"/admin/plugins/" + name + "/" + method.substr(method.find('.') + 1), compact(given)};
}

class HttpHost final : public Host {
 public:
  HttpHost(std::string base, std::string key) : base_(std::move(base)), key_(std::move(key)) {}

  Result<std::string> ask(const std::string& method, const std::string& params) override {
    if (method == "plugin.reload" && text_at(parsed(params), "name").empty()) return reload_all();
    const Request request = request_of(method, params);
    long status = 0;
    auto body = send(request, status);
    if (!body || status == 200) return body;
    return refused(status, *body);
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

  Result<std::string> send(const Request& request, long& status) {
    Handle handle;
    if (handle.curl == nullptr) return Status::failed("out of memory");
    std::string out;
    handle.header("Content-Type: application/json");
    if (!key_.empty()) handle.header("Authorization: Bearer " + key_);
    curl_easy_setopt(handle.curl, CURLOPT_URL, (base_ + request.path).c_str());
    curl_easy_setopt(handle.curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle.curl, CURLOPT_HTTPHEADER, handle.headers);
    curl_easy_setopt(handle.curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(handle.curl, CURLOPT_TIMEOUT, kSeconds);
    curl_easy_setopt(handle.curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle.curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle.curl, CURLOPT_WRITEDATA, &out);
    if (!request.body.empty()) {
      curl_easy_setopt(handle.curl, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
    }
    const CURLcode code = curl_easy_perform(handle.curl);
    if (code != CURLE_OK) {
      return Status(GANTRY_NOT_FOUND,
                    "no host can be asked at " + base_ + ": " + curl_easy_strerror(code));
    }
    curl_easy_getinfo(handle.curl, CURLINFO_RESPONSE_CODE, &status);
    return out;
  }

  Status refused(long status, const std::string& body) const {
    if (status == 401) {
      return {GANTRY_NOT_FOUND, key_.empty()
                                    ? "an admin's key is needed: give it with --key KEY or "
                                      "in GANTRY_ADMIN_KEY"
                                    : "the host does not know this key"};
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
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return Status(GANTRY_NOT_FOUND, "--url must begin with http:// or https://, got " + url);
  }
  std::string base = url;
  while (base.ends_with('/')) base.pop_back();
  if (base.ends_with("/mcp")) base.resize(base.size() - 4);
  if (key.find_first_of("\r\n") != std::string::npos) {
    return Status(GANTRY_NOT_FOUND, "--key must not contain a line break");
  }
  return std::unique_ptr<Host>(new HttpHost(std::move(base), key));
}

}  // namespace gantry::cli
