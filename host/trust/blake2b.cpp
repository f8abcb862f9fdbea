#include "host/trust/blake2b.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace gantry::host::trust {
namespace {

using Words = std::array<std::uint64_t, 8>;
using Block = std::array<std::uint64_t, 16>;

constexpr std::size_t kBlock = 128;

constexpr Words kStart = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                          0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                          0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// Which words of the block a round takes, in order.
constexpr std::uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

struct Lane {
  std::size_t a, b, c, d;
};
constexpr Lane kLanes[8] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                            {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};

void mix(Block& v, const Lane& at, std::uint64_t x, std::uint64_t y) {
  v[at.a] += v[at.b] + x;
  v[at.d] = std::rotr(v[at.d] ^ v[at.a], 32);
  v[at.c] += v[at.d];
  v[at.b] = std::rotr(v[at.b] ^ v[at.c], 24);
  v[at.a] += v[at.b] + y;
  v[at.d] = std::rotr(v[at.d] ^ v[at.a], 16);
  v[at.c] += v[at.d];
  v[at.b] = std::rotr(v[at.b] ^ v[at.c], 63);
}

// One block, filled up with zeros; `total` bytes have been taken with it.
void take(Words& state, std::string_view block, std::uint64_t total, bool last) {
  Block m{};
  if (!block.empty()) std::memcpy(m.data(), block.data(), block.size());
  Block v;
  for (std::size_t i = 0; i < 8; ++i) {
    v[i] = state[i];
    v[i + 8] = kStart[i];
  }
  v[12] ^= total;
  if (last) v[14] = ~v[14];
  for (std::size_t round = 0; round < 12; ++round) {
    const auto& order = kOrder[round % 10];
    for (std::size_t i = 0; i < 8; ++i) mix(v, kLanes[i], m[order[2 * i]], m[order[2 * i + 1]]);
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace

static_assert(std::endian::native == std::endian::little);

std::string blake2b(std::string_view bytes, std::size_t size) {
  Words state = kStart;
  state[0] ^= 0x01010000U ^ size;
  std::uint64_t total = 0;
  while (bytes.size() > kBlock) {
    total += kBlock;
    take(state, bytes.substr(0, kBlock), total, false);
    bytes.remove_prefix(kBlock);
  }
  take(state, bytes, total + bytes.size(), true);
  std::string out(size, '\0');
  std::memcpy(out.data(), state.data(), size);
  return out;
}

}  // namespace gantry::host::trust
