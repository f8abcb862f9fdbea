// store/sqlite/sampler.hpp: what the columns of a class really hold, from its first rows.
#pragma once

#include <memory>

#include "catalog/catalog.hpp"
#include "store/sqlite/pool.hpp"

namespace gantry::data::sqlite {

inline constexpr int kSampleRows = 200;
inline constexpr int kSampleMilliseconds = 250;

// Samples over the pool's spare connection, so that a thread that holds a lease may call it. It
// keeps the pool alive. Thread-safe; calls wait for each other.
Sampler make_sampler(std::shared_ptr<Pool> pool);

}  // namespace gantry::data::sqlite
