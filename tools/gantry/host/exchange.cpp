#include "tools/gantry/host/exchange.hpp"

#include <curl/curl.h>

#include "host/base/text.hpp"

namespace gantry::cli {
namespace {

constexpr long kConnectSeconds = 5;
constexpr std::size_t kMaxAnswer = 64u << 20;
constexpr int kTurn = 1000;  // milliseconds

struct Handle {
  CURL* curl = curl_easy_init();
  CURLM* multi = curl_multi_init();
  curl_slist* headers = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (curl != nullptr && multi != nullptr) curl_multi_remove_handle(multi, curl);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    curl_multi_cleanup(multi);
  }
};

struct Receiver {
  std::string body;
  const OnData& on_data;
  HttpHeaders headers{};
};

std::size_t take(char* data, std::size_t, std::size_t size, void* out) {
  auto& receiver = *static_cast<Receiver*>(out);
  if (receiver.body.size() + size > kMaxAnswer) return 0;
  receiver.body.append(data, size);
  if (receiver.on_data) receiver.on_data(receiver.body);
  return size;
}

std::size_t take_header(char* data, std::size_t, std::size_t size, void* out) {
  const std::string_view line(data, size);
  auto& headers = static_cast<Receiver*>(out)->headers;
  if (line.starts_with("HTTP/")) headers.clear();  // those before are of a proxy, or of a 100
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return size;
  std::string_view value = line.substr(colon + 1);
  while (value.ends_with('\n') || value.ends_with('\r')) value.remove_suffix(1);
  headers.emplace_back(host::lower(line.substr(0, colon)), host::trimmed(value));
  return size;
}

void prepare(Handle& handle, const HttpRequest& request, Receiver& receiver) {
  for (const auto& line : request.headers) {
    handle.headers = curl_slist_append(handle.headers, line.c_str());
  }
  curl_easy_setopt(handle.curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(handle.curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle.curl, CURLOPT_HTTPHEADER, handle.headers);
  curl_easy_setopt(handle.curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(handle.curl, CURLOPT_TIMEOUT, request.seconds);
  curl_easy_setopt(handle.curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle.curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(handle.curl, CURLOPT_WRITEDATA, &receiver);
  curl_easy_setopt(handle.curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(handle.curl, CURLOPT_HEADERDATA, &receiver);
  if (!request.body.empty()) {
    curl_easy_setopt(handle.curl, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
  }
}

// Runs the transfer to its end; false: the user stopped it.
bool run_transfer(Handle& handle, const Stop* stop) {
  curl_multi_add_handle(handle.multi, handle.curl);
  int running = 1;
  while (curl_multi_perform(handle.multi, &running) == CURLM_OK && running > 0) {
    curl_waitfd extra{stop == nullptr ? -1 : stop->fd(), CURL_WAIT_POLLIN, 0};
    curl_multi_poll(handle.multi, &extra, stop == nullptr ? 0u : 1u, kTurn, nullptr);
    if (stop != nullptr && stop->told()) return false;
  }
  return true;
}

// Why there is no answer, for the end of a sentence.
std::string reason_of(CURLcode code) {
  if (code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR) {
    return "the connection was lost before the whole answer came";
  }
  return curl_easy_strerror(code);
}

CURLcode outcome(CURLM* multi) {
  int left = 0;
  const CURLMsg* message = curl_multi_info_read(multi, &left);
  return message == nullptr ? CURLE_FAILED_INIT : message->data.result;
}

}  // namespace

std::string header(const HttpHeaders& headers, std::string_view name) {
  for (const auto& [given, value] : headers) {
    if (given == name) return value;
  }
  return {};
}

Result<HttpAnswer> exchange(const HttpRequest& request, const OnData& on_data) {
  Handle handle;
  if (handle.curl == nullptr || handle.multi == nullptr) return Status::failed("out of memory");
  Receiver receiver{{}, on_data, {}};
  prepare(handle, request, receiver);
  if (!run_transfer(handle, request.stop)) return Status(GANTRY_CANCELLED, "cancelled");
  const CURLcode code = outcome(handle.multi);
  if (code == CURLE_WRITE_ERROR) return Status::failed("the answer is larger than 64 MiB");
  if (code != CURLE_OK) return Status(GANTRY_NOT_FOUND, reason_of(code));
  HttpAnswer answer;
  curl_easy_getinfo(handle.curl, CURLINFO_RESPONSE_CODE, &answer.status);
  answer.body = std::move(receiver.body);
  answer.headers = std::move(receiver.headers);
  return answer;
}

Result<std::string> checked_base(const std::string& url, const std::string& key) {
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return Status(GANTRY_NOT_FOUND, "--url must begin with http:// or https://, got " + url);
  }
  if (key.find_first_of("\r\n") != std::string::npos) {
    return Status(GANTRY_NOT_FOUND, "--key must not contain a line break");
  }
  std::string base = url;
  while (base.ends_with('/')) base.pop_back();
  if (base.ends_with("/mcp")) base.resize(base.size() - 4);
  return base;
}

}  // namespace gantry::cli
