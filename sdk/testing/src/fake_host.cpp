#include <gantry/testing/fake_host.hpp>

#include <dlfcn.h>

#include <fstream>
#include <iterator>

#include <gantry/json_writer.hpp>

#include "impl.hpp"
#include "note.hpp"
#include "sdk/contract/uris.hpp"

namespace gantry::testing {

using detail::HostState;
using detail::Item;
using detail::Phase;

namespace detail {

void HostState::violation(const std::string& text) {
  const std::string sentence = "plugin '" + manifest.name + "' broke the contract: " + text;
  {
    const std::lock_guard lock(mutex);
    violations.push_back(sentence);
  }
  if (options.on_violation) {
    options.on_violation(sentence);
  } else {
    fail_test(sentence);
  }
}

const Item* HostState::find(std::string_view kind, std::string_view key) const {
  for (const Item& item : items) {
    if (item.kind == kind && item.key() == key) return &item;
  }
  return nullptr;
}

const Item* HostState::find_readable(std::string_view uri) const {
  if (const Item* const fixed = find("resource", uri)) return fixed;
  for (const Item& item : items) {
    if (item.kind == "resource_template" && contract::match_uri(item.uri, uri)) return &item;
  }
  return nullptr;
}

}  // namespace detail

namespace {

Result<std::string> manifest_text(const std::string& given) {
  if (given.starts_with("{")) return given;
  std::ifstream in(given, std::ios::binary);
  if (!in) return Status::not_found("cannot open the manifest '" + given + "'");
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

const gantry_plugin* open_library(const std::filesystem::path& file, std::string& problem) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "gantry_plugin_v1");
  if (symbol == nullptr) problem = dlerror();
  return static_cast<const gantry_plugin*>(symbol);
}

}  // namespace

FakeHost::FakeHost(const Linked& plugin, Options options)
    : impl_(std::make_unique<Impl>(&plugin.plugin, manifest_text(plugin.manifest),
                                   std::move(options))) {}

FakeHost::FakeHost(const Loaded& plugin, Options options) {
  std::string problem;
  Result<std::string> manifest = detail::read_manifest(plugin.file);
  const gantry_plugin* const table = open_library(plugin.file, problem);
  if (table == nullptr) manifest = Status::failed(problem);
  impl_ = std::make_unique<Impl>(table, std::move(manifest), std::move(options));
}

FakeHost::~FakeHost() {
  static_cast<void>(impl_->stop());
  if (impl_->state.phase == Phase::stopped) {
    impl_->state.table->destroy(impl_->state.self);
    impl_->state.phase = Phase::destroyed;
  }
}

Status FakeHost::start() { return impl_->start(); }
Status FakeHost::stop() { return impl_->stop(); }

RunningCall FakeHost::begin(std::string_view tool, std::string_view arguments,
                            const CallOptions& options) {
  return RunningCall(impl_->begin("tool", tool, arguments, options));
}

Reply FakeHost::call(std::string_view tool, std::string_view arguments,
                     const CallOptions& options) {
  return begin(tool, arguments, options).wait();
}

Reply FakeHost::call_service(std::string_view name, std::string_view arguments,
                             const CallOptions& options) {
  return impl_->run("service", name, arguments, options);
}

Reply FakeHost::enter(std::string_view kind, std::string_view name, std::string_view arguments,
                      const CallOptions& options) {
  if (Status status = impl_->start(); !status) {
    Reply reply;
    reply.status = status.code();
    reply.message = status.message();
    return reply;
  }
  return RunningCall(impl_->enter(kind, name, arguments, options)).wait();
}

Reply FakeHost::self_check() { return impl_->run("self_check", "", "{}", {}); }

Reply FakeHost::prompt(std::string_view name, std::string_view arguments,
                       const CallOptions& options) {
  return impl_->run("prompt", name, arguments, options);
}

Reply FakeHost::read(std::string_view uri, const CallOptions& options) {
  static_cast<void>(impl_->start());
  std::string kind = "resource";
  std::string key(uri);
  std::string arguments;
  JsonWriter out(arguments);
  out.begin_object().key("uri").string(uri);
  {
    const std::lock_guard lock(impl_->state.mutex);
    const Item* const item = impl_->state.find_readable(uri);
    if (item != nullptr && item->kind == "resource_template") {
      kind = item->kind;
      key = item->uri;
      out.key("variables").begin_object();
      const auto variables = contract::match_uri(item->uri, uri);
      for (const auto& [name, value] : *variables) out.key(name).string(value);
      out.end_object();
    }
  }
  out.end_object();
  return impl_->run(kind, key, arguments, options);
}

Reply FakeHost::list(std::string_view uri_template, const CallOptions& options) {
  return impl_->run("resource_list", uri_template, "{}", options);
}

Reply FakeHost::complete(std::string_view of, std::string_view argument, std::string_view value,
                         std::string_view known) {
  std::string arguments;
  JsonWriter out(arguments);
  out.begin_object().key("argument").begin_object().key("name").string(argument);
  out.key("value").string(value).end_object();
  out.key("context").begin_object().key("arguments").raw(known).end_object().end_object();
  return impl_->run("completion", of, arguments, {});
}

void FakeHost::answer_input(std::string_view key, std::string_view json) {
  const std::lock_guard lock(impl_->state.mutex);
  impl_->state.answers.insert_or_assign(std::string(key), std::string(json));
}

void FakeHost::forget_input(std::string_view key) {
  const std::lock_guard lock(impl_->state.mutex);
  impl_->state.answers.erase(std::string(key));
}

void FakeHost::watch(std::vector<std::string> uris) {
  const std::lock_guard lock(impl_->state.mutex);
  impl_->state.watched = std::move(uris);
}

std::vector<Event> FakeHost::events() const {
  const std::lock_guard lock(impl_->state.mutex);
  return impl_->state.events;
}

void FakeHost::provide(std::string_view kind, std::string_view name, Provider provider) {
  const std::lock_guard lock(impl_->state.mutex);
  impl_->state.providers[{std::string(kind), std::string(name)}] = std::move(provider);
}

std::vector<std::string> FakeHost::tools() const { return items("tool"); }

std::vector<std::string> FakeHost::items(std::string_view kind) const {
  static_cast<void>(impl_->start());
  std::vector<std::string> keys;
  const std::lock_guard lock(impl_->state.mutex);
  for (const Item& item : impl_->state.items) {
    if (item.kind == kind) keys.push_back(item.key());
  }
  return keys;
}

std::string FakeHost::input_schema(std::string_view tool) const {
  static_cast<void>(impl_->start());
  const std::lock_guard lock(impl_->state.mutex);
  const Item* const item = impl_->state.find("tool", tool);
  return item == nullptr ? std::string() : item->input_schema;
}

std::string FakeHost::output_schema(std::string_view tool) const {
  static_cast<void>(impl_->start());
  const std::lock_guard lock(impl_->state.mutex);
  const Item* const item = impl_->state.find("tool", tool);
  return item == nullptr ? std::string() : item->output_schema;
}

std::vector<LogLine> FakeHost::log() const {
  const std::lock_guard lock(impl_->state.mutex);
  return impl_->state.log;
}

std::vector<std::string> FakeHost::violations() const {
  const std::lock_guard lock(impl_->state.mutex);
  return impl_->state.violations;
}

}  // namespace gantry::testing
