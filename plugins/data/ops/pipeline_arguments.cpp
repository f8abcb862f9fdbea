#include "ops/pipeline_arguments.hpp"

#include <rapidjson/document.h>

#include "plan/text_match.hpp"

namespace gantry::data {
namespace {

bool begins_with_documents(const Value& stages) {
  return !stages.elements().empty() && !stages.elements().front().find("$documents").is_missing();
}

const ClassView* class_of_stages(const Request& request, const Value& stages) {
  const std::string_view name = optional_string(request, "class_name");
  if (begins_with_documents(stages)) {
    if (name.empty()) return nullptr;
    throw QueryError(invalid_argument(
        "A pipeline that begins with $documents reads no class; leave out 'class_name'"));
  }
  if (name.empty()) {
    throw QueryError(invalid_argument(
        "'class_name' is missing; only a pipeline that begins with $documents needs none"));
  }
  return &open_class(request.scope, name);
}

}  // namespace

Value requested_stages(const Request& request) {
  const auto it = request.arguments.FindMember("pipeline");
  if (it == request.arguments.MemberEnd() || !it->value.IsArray()) {
    throw QueryError(invalid_argument("'pipeline' must be an array of stages"));
  }
  return value_of(it->value);
}

Read pipeline_read(const Request& request, const Value& stages) {
  Read read;
  read.view = class_of_stages(request, stages);
  TextMatch text = take_text(read.view, stages);
  read.filter = std::move(text.filter);
  read.stages = std::move(text.stages);
  return read;
}

}  // namespace gantry::data
