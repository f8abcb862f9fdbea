#include "ops/too_large.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

#include "values/spending.hpp"

namespace gantry::data {
namespace {

using Weight = std::pair<std::string, std::size_t>;
constexpr std::size_t kRanked = 10;

std::vector<Weight> ranked(const Rows& rows) {
  std::vector<Weight> weights;
  for (const Weight& weight : rows.weights) {
    if (!is_common_field(weight.first)) weights.push_back(weight);
  }
  SmallSteps step;
  std::stable_sort(weights.begin(), weights.end(),
                   [&](const Weight& a, const Weight& b) { return step(), a.second > b.second; });
  return weights;
}

}  // namespace

std::string heaviest_field(const Rows& rows) {
  const auto weights = ranked(rows);
  return weights.empty() ? std::string() : weights.front().first;
}

DataError response_too_large(const Request& request, const Rows& rows) {
  const auto weights = ranked(rows);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  const auto text = [&](const std::string& value) {
    json.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  };
  json.StartObject();
  json.Key("kind");
  json.String("response_too_large");
  json.Key("bytes");
  json.Uint64(rows.bytes);
  json.Key("limit");
  json.Uint64(request.max_bytes);
  json.Key("largest_fields");
  json.StartArray();
  for (std::size_t i = 0; i < std::min(kRanked, weights.size()); ++i) {
    json.StartObject();
    json.Key("name");
    text(weights[i].first);
    json.Key("bytes_per_record");
    json.Uint64(weights[i].second / std::max<std::size_t>(1, rows.count));
    json.EndObject();
  }
  json.EndArray();
  // The lightest fields that fit together.
  std::vector<std::string> keys;
  std::size_t sum = 0;
  for (auto it = weights.rbegin(); it != weights.rend(); ++it) {
    if ((sum += it->second) > request.room_for_rows() / 2) break;
    keys.push_back(it->first);
  }
  json.Key("keys");
  json.StartArray();
  for (const std::string& key : keys) text(key);
  json.EndArray();
  json.EndObject();
  DataError error =
      invalid_argument("The answer would be " + std::to_string(rows.bytes) +
                       " bytes, more than the " + std::to_string(request.max_bytes) + " allowed" +
                       (weights.empty() ? "" : "; most of it is '" + weights.front().first + "'") +
                       ". Ask for the keys you need.");
  error.details_json = {buffer.GetString(), buffer.GetSize()};
  return error;
}

}  // namespace gantry::data
