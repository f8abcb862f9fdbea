// store/sqlite/sampler.hpp: finds the kinds of a class's columns from its first rows.
#pragma once

#include <memory>

#include "catalog/catalog.hpp"
#include "store/sqlite/pool.hpp"

namespace gantry::data::sqlite {

inline constexpr int kSampleRows = 200;
inline constexpr int kSampleMilliseconds = 250;

// Uses the pool's spare connection, so a thread that holds a lease may call it. The sampler shares
// ownership of the pool. Thread-safe; calls wait for each other.
Sampler make_sampler(std::shared_ptr<Pool> pool);

}  // namespace gantry::data::sqlite
