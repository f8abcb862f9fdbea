#include "host/auth/jwt/fetch_keys.hpp"

#include <memory>

#include <curl/curl.h>

#include "host/auth/jwt/key_set.hpp"

namespace gantry::host::jwt {
namespace {

constexpr long kMostMilliseconds = 5000;

struct FreeTransfer {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
using Transfer = std::unique_ptr<CURL, FreeTransfer>;

std::size_t take_body(char* data, std::size_t, std::size_t size, void* out) {
  auto& body = *static_cast<std::string*>(out);
  if (body.size() + size > KeySet::kMaxText) return 0;
  body.append(data, size);
  return size;
}

int is_stopped(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::atomic<bool>*>(stop)->load() ? 1 : 0;
}

void prepare_transfer(CURL* curl, const std::string& url, std::string& body,
                      const std::atomic<bool>& stop) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, url.starts_with("https:") ? "https" : "http");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, kMostMilliseconds);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, is_stopped);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, const_cast<std::atomic<bool>*>(&stop));
}

}  // namespace

Result<std::string> fetch_keys(const std::string& url, const std::atomic<bool>& stop) {
  const Transfer curl(curl_easy_init());
  if (!curl) return Status::failed("out of memory");
  std::string body;
  prepare_transfer(curl.get(), url, body, stop);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code == CURLE_WRITE_ERROR) return Status::failed("the answer is larger than 256 KiB");
  if (code != CURLE_OK) return Status::failed(curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status != 200) return Status::failed("the answer has the status " + std::to_string(status));
  return body;
}

}  // namespace gantry::host::jwt
