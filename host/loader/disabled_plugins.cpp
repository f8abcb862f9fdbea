#include "host/loader/disabled_plugins.hpp"

#include <fcntl.h>
#include <gantry/abi/host.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "host/base/unique_fd.hpp"
#include "host/plugin/file_bytes.hpp"

namespace gantry::host {
namespace {

using Names = std::set<std::string, std::less<>>;

bool parse(const std::string& text, Names& out) {
  rapidjson::Document json;
  json.Parse(text.data(), text.size());
  if (json.HasParseError() || !json.IsObject()) return false;
  const auto list = json.FindMember("disabled");
  if (list == json.MemberEnd() || !list->value.IsArray()) return false;
  for (const auto& name : list->value.GetArray()) {
    if (!name.IsString()) return false;
    out.emplace(name.GetString(), name.GetStringLength());
  }
  return true;
}

std::string text_of(const Names& names) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
  json.StartObject();
  json.Key("disabled");
  json.StartArray();
  for (const std::string& name : names) {
    json.String(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  json.EndArray();
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

Status write_file(const std::filesystem::path& file, const std::string& text) {
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  const bool written =
      fd.is_open() &&
      ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(fd.get()) == 0;
  if (written) return Status::ok();
  return Status::failed(file.string() +
                        " cannot be written: " + std::generic_category().message(errno));
}

}  // namespace

DisabledPlugins::DisabledPlugins(std::filesystem::path file, const LogSink& log)
    : file_(std::move(file)) {
  std::error_code error;
  if (file_.empty() || !std::filesystem::exists(file_, error)) return;
  const Result<std::string> text = read_file_bytes(file_);
  Names names;
  if (text && parse(*text, names)) {
    disabled_ = std::move(names);
  } else if (log) {
    log("gantry", GANTRY_LOG_ERROR,
        file_.string() +
            " is unusable: it must be {\"disabled\": [names]}; no plugin is taken "
            "for disabled until it is corrected or removed");
  }
}

Status DisabledPlugins::disable(std::string_view name) {
  disabled_.emplace(name);
  return save();
}

Status DisabledPlugins::enable(std::string_view name) {
  const auto found = disabled_.find(name);
  if (found == disabled_.end()) return Status::ok();
  disabled_.erase(found);
  return save();
}

Status DisabledPlugins::save() const {
  if (file_.empty()) return Status::ok();
  std::filesystem::path aside = file_;
  aside += ".new";
  Status status = write_file(aside, text_of(disabled_));
  if (status && std::rename(aside.c_str(), file_.c_str()) != 0) {
    status = Status::failed(file_.string() +
                            " cannot be replaced: " + std::generic_category().message(errno));
  }
  if (status) return status;
  return Status::failed("this holds until the host ends, but it cannot be remembered: " +
                        status.message());
}

}  // namespace gantry::host
