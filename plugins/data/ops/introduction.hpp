// ops/introduction.hpp: the text that introduces the database to a model: its name, its first
// classes, and six rules of querying it.
#pragma once

#include <cstddef>
#include <string>

#include "ops/request.hpp"

namespace gantry::data {

// At most 250 tokens of four bytes.
inline constexpr std::size_t kMostIntroductionBytes = 1000;

// Names the file without its directory, and as many of the classes that the request's agent may see
// as fit.
std::string introduction_text(const Request& request);

// introduction: {} -> meta {text}.
Reply introduction(const Request& request);

}  // namespace gantry::data
