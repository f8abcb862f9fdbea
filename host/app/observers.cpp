#include "host/app/observers.hpp"

#include <utility>

#include <gantry/abi/version.h>

namespace gantry::host {
namespace {

Result<AuditOptions> audit_options(const AuditSettings& audit, Log& log) {
  AuditOptions out;
  out.usd_per_million_tokens = audit.usd_per_million_tokens;
  if (audit.file.empty()) return out;
  auto file = AuditFile::open({.path = audit.file,
                               .keep = audit.keep,
                               .max_bytes = audit.max_bytes,
                               .max_waiting_bytes = audit.max_waiting_bytes},
                              log);
  if (!file) return file.status();
  out.file = std::move(*file);
  return out;
}

std::shared_ptr<Tracer> tracer_of(const TraceSettings& traces, Log& log) {
  if (traces.otlp_url.empty()) return nullptr;
  return std::make_shared<Tracer>(TracerOptions{.url = traces.otlp_url,
                                                .sample = traces.sample,
                                                .max_waiting = traces.max_waiting,
                                                .version = GANTRY_SDK_VERSION},
                                  log);
}

}  // namespace

Result<Observers> Observers::make(const Settings& settings, Log& log) {
  auto options = audit_options(settings.audit, log);
  if (!options) return options.status();
  return Observers{std::make_shared<Audit>(log, std::move(*options)),
                   tracer_of(settings.traces, log)};
}

}  // namespace gantry::host
