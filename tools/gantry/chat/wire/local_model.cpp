// What servers of local models say of themselves.
#include <rapidjson/document.h>

#include "tools/gantry/chat/wire/provider.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

constexpr long kLookSeconds = 10;

Result<HttpAnswer> get(const Settings& settings, const std::string& url, const Stop& stop) {
  HttpRequest request{
      .url = url, .headers = {}, .body = {}, .seconds = kLookSeconds, .stop = &stop};
  if (!settings.key.empty()) request.headers.push_back("Authorization: Bearer " + settings.key);
  return exchange(request);
}

// The model of that name in a list of models; of no name, the first; null: there is none.
const Value& model_in(const Value& listed, const std::string& name) {
  for (const auto& model : items(member(listed, "data"))) {
    if (name.empty() || text_at(model, "id") == name) return model;
  }
  return member(listed, "no model");
}

// vLLM and others say it in the list.
std::uint64_t context_in(const Value& model) {
  for (const char* name : {"max_model_len", "context_length", "context_window"}) {
    if (const auto tokens = number_at(model, name); tokens > 0) return tokens;
  }
  return 0;
}

// llama.cpp says it at /props, beside /v1.
std::uint64_t context_of_props(const Settings& settings, const Stop& stop) {
  std::string root = settings.base_url;
  if (root.ends_with("/v1")) root.resize(root.size() - 3);
  const auto answer = get(settings, root + "/props", stop);
  if (!answer || answer->status != 200) return 0;
  const auto props = parsed(answer->body);
  const auto tokens = number_at(member(props, "default_generation_settings"), "n_ctx");
  return tokens > 0 ? tokens : number_at(props, "n_ctx");
}

}  // namespace

Result<LocalModel> look_at_local(const Settings& settings, const Stop& stop) {
  const auto answer = get(settings, settings.base_url + "/models", stop);
  if (!answer) {
    return Status(GANTRY_NOT_FOUND, "no model can be asked at " + settings.base_url + ": " +
                                        answer.message() +
                                        "; LLM_BASE_URL names the server of the model");
  }
  const auto listed = parsed(answer->body);
  const auto& model = model_in(listed, settings.model);
  LocalModel out{settings.model.empty() ? text_at(model, "id") : settings.model, context_in(model)};
  if (out.name.empty()) {
    return Status(GANTRY_NOT_FOUND,
                  "the server at " + settings.base_url + " lists no model; name one in LLM_MODEL");
  }
  if (const auto tokens = context_of_props(settings, stop); tokens > 0) out.context = tokens;
  return out;
}

}  // namespace gantry::cli::chat
