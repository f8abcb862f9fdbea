#include "tools/gantry/chat/wire/provider.hpp"

#include <ctime>
#include <random>

#include <rapidjson/document.h>

#include "tools/gantry/chat/duration.hpp"
#include "tools/gantry/host/event_stream.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using std::chrono::steady_clock;

constexpr long kReplySeconds = 90;

double random_share() {
  static std::mt19937 generator{std::random_device{}()};
  return std::uniform_real_distribution<double>(0, 1)(generator);
}

std::string without(std::string text, const std::string& secret) {
  if (secret.empty()) return text;
  for (std::size_t at = 0; (at = text.find(secret, at)) != text.npos;) {
    text.replace(at, secret.size(), "…");
  }
  return text;
}

// As the status of an error that came in the stream, after 200.
long status_of(const WireError& error) {
  const std::string& type = error.type;
  if (type.starts_with("invalid") || type.starts_with("authentication") ||
      type.starts_with("permission") || type.starts_with("not_found")) {
    return 400;
  }
  return type.starts_with("rate_limit") ? 429 : type == "overloaded_error" ? 529 : 500;
}

std::string hint(long status) {
  if (status == 401) return "; check LLM_API_KEY";
  if (status == 404) return "; check LLM_MODEL and LLM_BASE_URL";
  if (status == 413) return "; /compact makes the conversation shorter";
  return "";
}

}  // namespace

Asked Provider::ask(const Request& request, const OnText& on_text) {
  const std::string body = wire_->body(settings_.model, request);
  for (int number = 0;; ++number) {
    Attempt done = attempt(body, on_text);
    if (done.asked.reply.model.empty()) done.asked.reply.model = settings_.model;
    if (done.asked.status || done.asked.status.code() == GANTRY_CANCELLED) return done.asked;
    const auto delay = done.shown
                           ? std::nullopt
                           : retry_delay(done.failure, number, std::time(nullptr), random_share());
    if (!delay) return done.asked;
    on_note_(done.asked.status.message() + "; once more in " + std::to_string(delay->count()) +
             " ms");
    if (wait_for(-1, *stop_, *delay) == Woken::stopped) {
      done.asked.status = Status(GANTRY_CANCELLED, "cancelled");
      return done.asked;
    }
  }
}

Provider::Attempt Provider::attempt(const std::string& body, const OnText& on_text) const {
  Attempt out;
  const auto reader = wire_->reader([&](std::string_view text) {
    out.shown = true;
    on_text(text);
  });
  EventStream events([&](std::string_view data) { reader->read(data); });
  const std::string url = settings_.base_url + wire_->path();
  const HttpRequest request{.url = url,
                            .headers = wire_->headers(settings_.key),
                            .body = body,
                            .seconds = kReplySeconds,
                            .stop = stop_};
  const auto start = steady_clock::now();
  const auto answer = exchange(request, [&](std::string_view data) { events.read(data); });
  const long status = answer ? answer->status : 0;
  trace_->request(url, status, ms_since(start), body.size(),
                  answer ? answer->headers : HttpHeaders{});
  out.asked.reply = reader->reply();
  if (!answer && answer.status().code() == GANTRY_CANCELLED) {
    out.asked.status = answer.status();
    return out;
  }
  if (reader->has_ended() && !reader->error()) return out;
  out.failure = failure_of(answer, *reader);
  out.asked.status = Status::failed(sentence(out.failure, answer ? "" : answer.message()));
  return out;
}

Failure Provider::failure_of(const Result<HttpAnswer>& answer, const ReplyReader& reader) const {
  Failure out{.error = reader.error(), .anthropic = settings_.provider == "anthropic"};
  if (!answer) return out;
  out.status = answer->status;
  out.headers = answer->headers;
  if (out.status != 200) {
    out.error = wire_error(parsed(answer->body));
  } else if (reader.error()) {
    out.status = status_of(reader.error());
  } else if (header(answer->headers, "content-type").starts_with("text/event-stream")) {
    out.status = 0;  // it broke off
  } else {
    out.error.message = "no event stream, which is no reply of a model; check LLM_BASE_URL";
  }
  return out;
}

std::string Provider::sentence(const Failure& failure, const std::string& connection) const {
  const std::string& name = settings_.provider;
  if (failure.status == 0) {
    return name + " at " + settings_.base_url +
           (connection.empty() ? ": its answer broke off" : ": " + connection);
  }
  const std::string why = without(printable(failure.error.message), settings_.key);
  return name + " answered " + std::to_string(failure.status) + (why.empty() ? "" : ": " + why) +
         hint(failure.status);
}

}  // namespace gantry::cli::chat
