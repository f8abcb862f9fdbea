#include "host/calls/crew.hpp"

#include <algorithm>

namespace gantry::host {
namespace {

unsigned above(unsigned count, unsigned limit) { return count > limit ? count - limit : 0; }

}  // namespace

// Working threads that count against the relief.
unsigned Crew::beyond() const {
  return std::max(above(working - waiting, size.threads),
                  above(working, size.threads + size.extra));
}

bool Crew::relieves(std::size_t running) const {
  if (running >= std::max(1U, size.threads / 2)) return false;
  return running < 32 && beyond() < size.relief >> running;
}

bool Crew::may_begin() const {
  return working - waiting < size.threads && working < size.threads + size.extra;
}

std::size_t Crew::relieved_below() const {
  std::size_t running = 0;
  while (relieves(running)) ++running;
  return running;
}

bool Crew::lacks_replacement() const {
  return idle == 0 && alive - waiting < size.threads && alive < size.threads + size.extra;
}

unsigned Crew::lacks_relief(std::size_t overdue) const {
  const std::size_t coming = idle + starting;
  if (overdue <= coming) return 0;
  const std::size_t room = above(size.threads + size.extra + size.relief, alive);
  return static_cast<unsigned>(std::min(overdue - coming, room));
}

bool Crew::has_surplus() const { return alive - waiting > size.threads; }

}  // namespace gantry::host
