#include "host/worker/places.hpp"

#include <utility>

namespace gantry::host::worker {

void Places::add(const TicketPtr& ticket) {
  if (ticket->facts.nested) {
    nested_.push_back(ticket);
  } else {
    others_.push(ticket->facts.group, ticket);
  }
}

void Places::remove(const TicketPtr& ticket) {
  if (ticket->facts.nested) {
    std::erase(nested_, ticket);
  } else {
    others_.remove(ticket->facts.group, ticket);
  }
}

Places::TicketPtr Places::next() {
  TicketPtr ticket;
  if (!nested_.empty()) {
    ticket = std::move(nested_.front());
    nested_.erase(nested_.begin());
  } else if (!others_.empty()) {
    const bool has_place = inside_ < calls_;
    const bool has_extra = others_.running_of_next() == 0 && inside_ < calls_ + calls_ / 4;
    if (has_place || has_extra) ticket = std::move(others_.take().work);
  }
  if (ticket) ++inside_;
  return ticket;
}

void Places::leave(const Ticket& ticket) {
  --inside_;
  if (!ticket.facts.nested) others_.done(ticket.facts.group);
}

std::vector<Places::TicketPtr> Places::take_waiting() {
  std::vector<TicketPtr> out = std::exchange(nested_, {});
  while (!others_.empty()) {
    auto taken = others_.take();
    others_.done(taken.group);
    out.push_back(std::move(taken.work));
  }
  return out;
}

}  // namespace gantry::host::worker
