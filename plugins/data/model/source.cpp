#include "model/source.hpp"

#include <sys/stat.h>

#include "model/lay_over.hpp"

namespace gantry::data::model {
namespace {

constexpr std::chrono::seconds kLookEvery{1};

std::string in_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
  return text;
}

}  // namespace

Result<std::shared_ptr<Source>> Source::open(std::string directory, Say say, ReadOptions options) {
  std::shared_ptr<Source> source(new Source(std::move(directory), std::move(say), options));
  source->fingerprint_ = source->fingerprint();
  source->looked_ = std::chrono::steady_clock::now();
  auto model = read_model(source->directory_, options);
  if (!model) return model.status();
  source->fresh_ = std::move(*model);
  return source;
}

std::string Source::fingerprint() const {
  auto files = model_files(directory_);
  if (!files) return files.message();
  std::string fingerprint;
  for (const std::string& file : *files) {
    struct stat now {};
    if (::stat(file.c_str(), &now) != 0) continue;
    fingerprint += file + '\n' + std::to_string(now.st_ino) + ' ' + std::to_string(now.st_size) +
                   ' ' + std::to_string(now.st_mtim.tv_sec) + '.' +
                   std::to_string(now.st_mtim.tv_nsec) + '\n';
  }
  return fingerprint;
}

bool Source::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kLookEvery) return fresh_.has_value();
  looked_ = now;
  std::string fingerprint = this->fingerprint();
  if (fingerprint == fingerprint_) return fresh_.has_value();
  fingerprint_ = std::move(fingerprint);
  auto model = read_model(directory_, options_);
  if (model) {
    fresh_ = std::move(*model);
  } else {
    say("The model stays as it was: " + model.message());
  }
  return fresh_.has_value();
}

std::vector<std::string> Source::refused_filters(const Model& model,
                                                 const CatalogPtr& catalog) const {
  std::vector<std::string> sentences;
  if (!check_) return sentences;
  const auto refused = check_(catalog);
  for (const ModelClass& cls : model.classes) {
    const auto why = refused.find(cls.name);
    if (why == refused.end()) continue;
    sentences.push_back(place_of(cls, "canonical_filter") +
                        ": the filter is no valid where: " + why->second);
  }
  return sentences;
}

// The catalog of the fresh model, which then is the current one; null: it was logged and dropped.
Result<CatalogPtr> Source::take_fresh(const std::vector<ClassInfo>& classes, const Make& make) {
  const Model model = std::move(*fresh_);
  fresh_.reset();
  ModelResult laid = apply_model(model, classes);
  std::vector<std::string> faults = std::move(laid.misfits);
  CatalogPtr catalog = make(std::move(laid.classes));
  if (faults.empty()) faults = refused_filters(model, catalog);
  if (!faults.empty() && !current_) return Status::invalid(in_lines(faults));
  if (!faults.empty()) {
    say("The model stays as it was: " + in_lines(faults));
    return CatalogPtr();
  }
  current_ = model;
  ++taken_;
  said_.clear();
  for (const std::string& line : laid.opened) say_(line);
  return catalog;
}

Result<CatalogPtr> Source::apply(const std::vector<ClassInfo>& classes, const Make& make) {
  if (fresh_) {
    auto catalog = take_fresh(classes, make);
    if (!catalog || *catalog) return catalog;
  }
  ModelResult laid = apply_model(*current_, classes);
  if (!laid.misfits.empty()) say("Some classes are left out: " + in_lines(laid.misfits));
  return make(std::move(laid.classes));
}

void Source::say(const std::string& sentence) {
  if (sentence == said_) return;
  said_ = sentence;
  if (say_) say_(sentence);
}

}  // namespace gantry::data::model
