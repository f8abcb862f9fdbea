#include "tools/packaging/config_sample.hpp"

#include <sstream>

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace gantry::packaging {
namespace {

using rapidjson::Value;

constexpr std::size_t kColumns = 100;
constexpr const char* kHead =
    "Configuration of gantryd. Every key stands here with its default. To "
    "change "
    "one, remove the two slashes before it and give a value.";
constexpr const char* kTail =
    "Then: gantryd --check-config --config FILE. A changed file applies plugins and trust at once; "
    "the "
    "log names keys that need a restart.";

std::string json_text(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

const Value* member(const Value* object, const char* name) {
  if (object == nullptr || !object->IsObject()) return nullptr;
  const auto found = object->FindMember(name);
  return found == object->MemberEnd() ? nullptr : &found->value;
}

class Sample {
 public:
  explicit Sample(const Value& schema) : schema_(schema) {}

  void comment(const std::string& text) {
    const std::string begin = std::string(depth_ * 2, ' ') + (hidden_ ? "// // " : "// ");
    std::istringstream words(text);
    std::string line = begin, word;
    while (words >> word) {
      const bool is_first = line.size() == begin.size();
      if (!is_first && line.size() + 1 + word.size() > kColumns) {
        out_ += line + "\n";
        line = begin + word;
      } else {
        line += (is_first ? "" : " ") + word;
      }
    }
    out_ += line + "\n";
  }

  void line(const std::string& text) {
    out_ += std::string(depth_ * 2, ' ') + (hidden_ ? "// " : "") + text + "\n";
  }
  void open(const std::string& name) {
    line((name.empty() ? "" : "\"" + name + "\": ") + "{");
    ++depth_;
  }
  void close(const char* end = "},") {
    --depth_;
    line(end);
  }
  // A group whose members are commented out as a whole.
  void hide(bool hidden) { hidden_ = hidden; }

  // The members of a group, each with its default: of `defaults`, else of its own schema.
  void members(const Value& properties, const Value* defaults) {
    for (const auto& each : properties.GetObject()) {
      const std::string name = each.name.GetString();
      if (name != "plugins") this->property(name, each.value, member(defaults, name.c_str()));
    }
  }

  void property(const std::string& name, const Value& given, const Value* standard) {
    const Value& property = resolved(given);
    describe(given, property);
    const Value* group = member(&property, "properties");
    if (group != nullptr) {
      open(name);
      members(*group, standard);
      return close();
    }
    if (standard == nullptr) standard = member(&property, "default");
    const std::string value = standard == nullptr ? nothing(property) : json_text(*standard);
    line((hidden_ ? "\"" : "// \"") + name + "\": " + value + ",");
  }

  std::string take() { return std::move(out_); }

 private:
  const Value& resolved(const Value& property) const {
    const Value* reference = member(&property, "$ref");
    if (reference == nullptr) return property;
    constexpr std::string_view kDefinitions = "#/$defs/";
    const std::string name = reference->GetString() + kDefinitions.size();
    const Value* found = member(member(&schema_, "$defs"), name.c_str());
    return found == nullptr ? property : *found;
  }

  void describe(const Value& given, const Value& property) {
    std::string text;
    if (const Value* description = member(&given, "description")) text = description->GetString();
    if (const Value* values = member(&property, "enum")) {
      text += text.empty() ? "One of " : (text.back() == '.' ? " One of " : ". One of ");
      for (const Value& each : values->GetArray()) {
        text += (&each == values->Begin() ? "" : ", ") + json_text(each);
      }
      text += ".";
    }
    if (!text.empty()) comment(text);
  }

  // The value that stands for "not given".
  static std::string nothing(const Value& property) {
    const Value* type = member(&property, "type");
    const std::string name = type != nullptr && type->IsString() ? type->GetString() : "object";
    if (name == "string") return "\"\"";
    if (name == "array") return "[]";
    if (name == "boolean") return "false";
    return name == "object" ? "{}" : "0";
  }

  const Value& schema_;
  std::string out_;
  std::size_t depth_ = 0;
  bool hidden_ = false;
};

// What the operator says of each plugin: the configuration of the built-in ones, and everything of
// one that comes from elsewhere.
void write_plugins(Sample& sample, const Value& schema, const Value* defaults,
                   const std::vector<std::pair<std::string, rapidjson::Document>>& plugins) {
  sample.comment(member(&schema, "description")->GetString());
  sample.open("plugins");
  for (const auto& [name, config] : plugins) {
    sample.open(name);
    sample.open("config");
    sample.members(*member(&config, "properties"), nullptr);
    sample.close();
    sample.close();
  }
  sample.comment("One of your own.");
  sample.hide(true);
  sample.open("NAME");
  const Value* all = member(member(&schema, "additionalProperties"), "properties");
  if (all != nullptr) sample.members(*all, member(defaults, "NAME"));
  sample.close();
  sample.hide(false);
  sample.close();
}

bool is_object(const rapidjson::Document& text) { return !text.HasParseError() && text.IsObject(); }

}  // namespace

Result<std::string> config_sample(std::string_view schema_text, std::string_view default_text,
                                  const std::vector<PluginSchema>& plugin_texts) {
  rapidjson::Document schema, defaults;
  schema.Parse(schema_text.data(), schema_text.size());
  defaults.Parse(default_text.data(), default_text.size());
  if (!is_object(schema) || !is_object(defaults) || member(&schema, "properties") == nullptr)
    return Status::invalid("the configuration's schema or its defaults are no JSON object");
  std::vector<std::pair<std::string, rapidjson::Document>> plugins;
  for (const PluginSchema& each : plugin_texts) {
    auto& [name, config] = plugins.emplace_back(each.name, rapidjson::Document());
    config.Parse(each.schema.data(), each.schema.size());
    if (!is_object(config) || member(&config, "properties") == nullptr)
      return Status::invalid("the configuration's schema of the plugin " + each.name +
                             " has no properties");
  }
  Sample sample(schema);
  sample.comment(kHead);
  sample.comment(member(&schema, "description") == nullptr ? ""
                                                           : schema["description"].GetString());
  sample.comment(kTail);
  sample.open("");
  const Value& properties = schema["properties"];
  sample.members(properties, &defaults);
  if (const Value* of_plugins = member(&properties, "plugins"))
    write_plugins(sample, *of_plugins, member(&defaults, "plugins"), plugins);
  sample.close("}");
  return sample.take();
}

}  // namespace gantry::packaging
