// core/model.hpp: the classes and tools that are visible to the caller of one call.
//
// A view of the call; its thread. A function that returns an error has already ended the call, with
// candidates for an invalid argument: return the error unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gantry/data.hpp>

#include "core/schema.hpp"
#include "core/text.hpp"

namespace prompts {

// The services that the plugin uses; cheap to copy.
struct Services {
  gantry::Data data;
  gantry::Catalog catalog;
};

class Model {
 public:
  Model(const Services& services, const gantry::Call& call) : services_(services), call_(call) {}

  gantry::Result<Names> class_names() const;  // sorted
  // The text that introduces the database to a model.
  gantry::Result<std::string> introduction() const;

  // The class that `argument` names; an invisible class is an error of that argument.
  gantry::Result<ClassSchema> open(std::string_view argument, std::string_view class_name) const;

  // A field of that class; if it does not exist, the error lists `candidates`.
  gantry::Result<FieldInfo> field(std::string_view argument, const ClassSchema& schema,
                                  std::string_view name) const;

  bool has_tool(std::string_view name) const;

  // Ends the call: an argument is invalid.
  gantry::Status refuse(std::string_view argument, std::string_view why) const;

 private:
  gantry::Status failed(std::string_view argument, const gantry::DataReply& reply) const;

  const Services& services_;
  const gantry::Call& call_;
};

}  // namespace prompts
