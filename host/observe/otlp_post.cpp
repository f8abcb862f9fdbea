#include "host/observe/otlp_post.hpp"

#include <curl/curl.h>

#include <chrono>

namespace gantry::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr long kMostSeconds = 10;
constexpr std::chrono::seconds kHurried{2};

std::size_t dropped(char*, std::size_t size, std::size_t count, void*) { return size * count; }

// libcurl calls it about once a second, and after each piece of data.
int may_go_on(void* context, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  const auto& end = *static_cast<const std::atomic<Clock::rep>*>(context);
  return Clock::now().time_since_epoch().count() > end ? 1 : 0;
}

void set_constants(CURL* curl) {
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, kMostSeconds);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, dropped);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, may_go_on);
}

}  // namespace

OtlpPost::~OtlpPost() {
  if (curl_ != nullptr) curl_easy_cleanup(curl_);
}

void OtlpPost::hurry() { end_ = (Clock::now() + kHurried).time_since_epoch().count(); }

Status OtlpPost::send(const std::string& url, const std::string& body) {
  if (curl_ == nullptr) curl_ = curl_easy_init();
  if (curl_ == nullptr) return Status::failed("libcurl gives no handle");
  CURL* const curl = curl_;
  curl_easy_reset(curl);
  set_constants(curl);
  curl_slist* const headers = curl_slist_append(nullptr, "Content-Type: application/json");
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &end_);
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.c_str());
  const CURLcode code = curl_easy_perform(curl);
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_slist_free_all(headers);
  if (code != CURLE_OK) return Status::failed(url + ": " + curl_easy_strerror(code));
  if (status / 100 == 2) return {};
  return Status::failed(url + " answered with the HTTP status " + std::to_string(status));
}

}  // namespace gantry::host
