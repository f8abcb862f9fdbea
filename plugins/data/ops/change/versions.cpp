#include "ops/change/versions.hpp"

#include <openssl/evp.h>
#include <gantry/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "errors/query_error.hpp"
#include "values/hex.hpp"
#include "values/iso_date.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

constexpr std::size_t kBytes = 16;

std::string digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.hex();
}

bool is_hex(std::string_view text, std::size_t size) {
  return text.size() == size && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

[[noreturn]] void refuse_versions() {
  throw QueryError(invalid_argument("'expect' must be the 'versions' of this write's dry_run"));
}

std::string hex_in(const gantry::Json& json, std::size_t size) {
  const auto text = json.as_string();
  if (!text || (!text->empty() && !is_hex(*text, size))) refuse_versions();
  return *text;
}

// Within the widest time zone and the life of a plan token.
bool is_near(double milliseconds, std::int64_t now_ms) {
  constexpr double kReach = 15 * 3'600'000.0;
  return std::fabs(milliseconds - static_cast<double>(now_ms)) <= kReach;
}

bool is_time_near(const gantry::Json& value, std::int64_t now_ms) {
  if (const auto text = value.as_string()) {
    const auto when = parse_iso_date(*text);
    return when && is_near(static_cast<double>(*when), now_ms);
  }
  constexpr double kJulianEpoch = 2440587.5, kDay = 86'400'000;
  const auto number = value.as_double();
  return number && (is_near(*number * 1000, now_ms) || is_near(*number, now_ms) ||
                    is_near((*number - kJulianEpoch) * kDay, now_ms));
}

}  // namespace

void Digest::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Digest::Digest() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void Digest::add(std::string_view piece) {
  EVP_DigestUpdate(context_.get(), piece.data(), piece.size());
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  EVP_DigestFinal_ex(context_.get(), bytes.data(), nullptr);
  std::string digits;
  append_hex({reinterpret_cast<const char*>(bytes.data()), kBytes}, digits);
  return digits;
}

std::string version_of(std::string_view object) {
  return object.empty() ? std::string() : digest_of(object);
}

std::string version_of(std::string_view object,
                       const std::function<bool(std::string_view name)>& counts) {
  if (object.empty()) return {};
  const auto json = gantry::Json::parse(object);
  if (!json) return digest_of(object);
  std::string counted;
  for (const auto& [name, value] : json->members()) {
    if (counts(name)) counted += quoted_json(name) + ":" + std::string(value.text()) + ",";
  }
  return digest_of(counted);
}

std::vector<std::string> new_times(std::string_view before, std::string_view after,
                                   std::int64_t now_ms) {
  const auto was = gantry::Json::parse(before), is = gantry::Json::parse(after);
  std::vector<std::string> names;
  if (!was || !is || !was->is_object() || !is->is_object()) return names;
  for (const auto& [name, value] : is->members()) {
    const auto old = was->find(name);
    const bool is_same = old && old->text() == value.text();
    if (!is_same && is_time_near(value, now_ms)) names.emplace_back(name);
  }
  return names;
}

std::string Versions::text() const {
  std::string text = "{\"rows\":[";
  const char* separator = "";
  for (const Row& row : rows) {
    text += std::exchange(separator, ",");
    text += "[\"" + row.before + "\",\"" + row.after + "\"]";
  }
  text += "],\"ids\":[";
  separator = "";
  for (const std::string& id : ids) text += std::exchange(separator, ",") + quoted_json(id);
  return text + "]}";
}

std::string preview_json(std::size_t rows, std::string_view before, std::string_view after,
                         const Versions& versions, std::string_view cascades) {
  std::string json = R"({"rows":)" + std::to_string(rows);
  json.append(R"(,"before":[)").append(before).append(R"(],"after":[)").append(after).append("]");
  if (cascades != "[]") json.append(R"(,"cascades":)").append(cascades);
  return json + R"(,"versions":)" + quoted_json(versions.text()) + "}";
}

Versions read_versions(std::string_view text) {
  constexpr std::size_t kIdDigits = 24;
  const auto json = gantry::Json::parse(text);
  const auto rows = json ? json->find("rows") : std::nullopt;
  const auto ids = json ? json->find("ids") : std::nullopt;
  if (!rows || !ids) refuse_versions();
  Versions versions;
  for (const gantry::Json row : rows->elements()) {
    std::vector<std::string> both;
    for (const gantry::Json one : row.elements()) both.push_back(hex_in(one, 2 * kBytes));
    if (both.size() != 2) refuse_versions();
    versions.rows.push_back({std::move(both[0]), std::move(both[1])});
  }
  for (const gantry::Json id : ids->elements()) {
    if (versions.ids.emplace_back(hex_in(id, kIdDigits)).empty()) refuse_versions();
  }
  return versions;
}

}  // namespace gantry::data
