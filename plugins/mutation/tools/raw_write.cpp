#include "tools/raw_write.hpp"

#include <gantry/data_answer.hpp>
#include <gantry/json_writer.hpp>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/canonical.hpp"

namespace mutation {
namespace {

using gantry::Call;
using gantry::Data;
using gantry::DataReply;
using gantry::Json;
using gantry::JsonWriter;

constexpr std::string_view kDryRun = "dry_run", kToken = "plan_token";

bool is_true(const Json& object, std::string_view name) {
  const auto value = object.find(name);
  return value && value->as_bool().value_or(false);
}

void fail(Call& call, std::string_view sentence) { (void)call.fail("invalid_argument", sentence); }

// All that a preview's token holds for: this agent with the rights that it has now, this tool, and
// these arguments.
std::string binding_of(const Call& call, std::string_view tool, const Json& arguments) {
  const std::string scope(call.property("agent_scope"));
  const std::string rest = without(arguments, {kDryRun, kToken});
  std::string text;
  JsonWriter out(text);
  out.begin_array().string(scope.empty() ? call.agent() : std::string_view(scope));
  out.string(tool).raw(canonical(*Json::parse(rest))).end_array();
  return text;
}

// The operation's arguments, with what a plan token says of the rows; nothing: an error has ended
// the call.
std::optional<std::string> arguments_for(const Services& services, Call& call,
                                         const RawWrite& write, const Json& arguments) {
  const auto token = arguments.find(kToken);
  if (!token) return std::string(arguments.text());
  if (is_true(arguments, kDryRun)) {
    fail(call, "Give dry_run for a preview or the plan_token of one to commit it, not both");
    return std::nullopt;
  }
  const auto versions = services.tokens.open(binding_of(call, write.tool, arguments),
                                             token->as_string().value_or(""));
  if (!versions) {
    fail(call, versions.message());
    return std::nullopt;
  }
  std::string text = without(arguments, {kToken});
  text.pop_back();
  JsonWriter(text += ",\"expect\":").string(*versions);
  return text += '}';
}

// Of one object its image alone, of several the list.
void copy_images(const Json& meta, std::string_view name, bool is_one, JsonWriter& out) {
  const auto images = meta.find(name);
  if (!images) return;
  out.key(name);
  if (!is_one) {
    out.raw(images->text());
    return;
  }
  const auto list = images->elements();
  out.raw(list.begin() == list.end() ? "null" : (*list.begin()).text());
}

void answer_preview(const Services& services, Call& call, const RawWrite& write,
                    const Json& arguments, const DataReply& reply) {
  const auto meta = Json::parse(reply.meta);
  const auto versions = meta ? meta->find("versions") : std::nullopt;
  if (!versions || !versions->is_string()) {
    (void)call.fail("internal_error", "The preview has no versions");
    return;
  }
  const bool is_one = !arguments.find("objects");
  std::string text;
  JsonWriter out(text);
  out.begin_object().key("class_name").raw(arguments.find("class_name")->text());
  out.key(kDryRun).boolean(true);
  for (const auto& [name, value] : meta->members()) {
    if (name == "before" || name == "after") {
      copy_images(*meta, name, is_one, out);
    } else if (name != "versions" && name != "class_name") {
      out.key(name).raw(value.text());
    }
  }
  out.key(kToken).string(services.tokens.seal(binding_of(call, write.tool, arguments),
                                              versions->as_string().value_or("")));
  out.key("expires_in").number(PlanTokens::kLife.count()).end_object();
  (void)call.structured(text);
}

void run(const Services& services, Call& call, const RawWrite& write, const Json& arguments) {
  const auto given = arguments_for(services, call, write, arguments);
  if (!given) return;
  const DataReply reply = services.data.run(call, write.op, *given);
  if (!reply.status) return Data::fail(call, reply);
  if (is_true(arguments, kDryRun)) {
    return answer_preview(services, call, write, arguments, reply);
  }
  std::string text;
  JsonWriter out(text);
  out.begin_object();
  if (!reply.warnings.empty()) out.key("warnings").raw(reply.warnings);
  out.key("class_name").raw(arguments.find("class_name")->text());
  write.answer(arguments, reply, out);
  out.end_object();
  (void)call.structured(text);
}

// A sentence if the arguments are neither one object nor several.
std::string wrong_form(const RawWrite& write, const Json& arguments) {
  const bool has_several = arguments.find("objects").has_value();
  const std::array<std::pair<std::string_view, bool>, 2> members{
      {{"object_id", write.takes_id}, {"data", write.takes_data}}};
  for (const auto& [name, is_taken] : members) {
    const bool is_given = arguments.find(name).has_value();
    const std::string quoted = "'" + std::string(name) + "'";
    if (is_given && has_several) return "Give 'objects' or " + quoted + ", not both";
    if (!is_given && !has_several && is_taken)
      return "Give " + quoted + ", or several in 'objects'";
  }
  if (has_several && arguments.find("if_unchanged")) {
    return "Beside 'objects' there is no 'if_unchanged': give it in each object";
  }
  return {};
}

}  // namespace

void write_objects(const Services& services, Call& call, const RawWrite& write) {
  const auto arguments = Json::parse(call.arguments());
  if (!arguments) return fail(call, arguments.message());
  if (const std::string wrong = wrong_form(write, *arguments); !wrong.empty()) {
    return fail(call, wrong);
  }
  run(services, call, write, *arguments);
}

void write_class(const Services& services, Call& call, const RawWrite& write) {
  const auto arguments = Json::parse(call.arguments());
  if (!arguments) return fail(call, arguments.message());
  run(services, call, write, *arguments);
}

}  // namespace mutation
