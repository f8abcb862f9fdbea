#include "tools/gantry/chat/wire/retry.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace gantry::cli::chat {
namespace {

using std::chrono::milliseconds;

constexpr double kFirstDelay = 500, kLongestDelay = 8000, kObeyed = 120'000;  // milliseconds

// Waiting does not help where money is out.
constexpr std::array kSpent{"insufficient_quota", "billing_hard_limit_reached",
                            "billing_not_active", "billing_error", "spend_limit_reached"};

bool is_out_of_money(const Failure& failure) {
  const auto said = [&failure](const char* word) {
    return failure.error.code == word || failure.error.type == word;
  };
  if (std::any_of(kSpent.begin(), kSpent.end(), said)) return true;
  return failure.anthropic && failure.status == 429 &&
         header(failure.headers, "retry-after").empty();
}

bool is_passing(const Failure& failure) {
  const std::string should = header(failure.headers, "x-should-retry");
  if (should == "true") return true;
  if (should == "false") return false;
  const long status = failure.status;
  return status == 0 || status == 408 || status == 409 || status == 429 || status >= 500;
}

// A number, or nothing when `text` is none.
std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

// What the provider asks for, in milliseconds.
std::optional<double> asked_delay(const Failure& failure, long long now) {
  if (const auto exact = number(header(failure.headers, "retry-after-ms"))) return exact;
  const std::string after = header(failure.headers, "retry-after");
  if (const auto seconds = number(after)) return *seconds * 1000;
  const long long date = after.empty() ? -1 : ::curl_getdate(after.c_str(), nullptr);
  if (date < 0) return std::nullopt;
  return static_cast<double>(date - now) * 1000;
}

}  // namespace

std::optional<milliseconds> retry_delay(const Failure& failure, int attempt, long long now,
                                        double jitter) {
  if (attempt >= kRetries || is_out_of_money(failure) || !is_passing(failure)) {
    return std::nullopt;
  }
  const auto asked = asked_delay(failure, now);
  if (asked && *asked >= 0 && *asked <= kObeyed) {
    return milliseconds(static_cast<long long>(*asked));
  }
  const double whole = std::min(kFirstDelay * static_cast<double>(1 << attempt), kLongestDelay);
  return milliseconds(static_cast<long long>(whole * (1 - 0.25 * jitter)));
}

}  // namespace gantry::cli::chat
