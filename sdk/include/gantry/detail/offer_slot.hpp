// gantry/detail/offer_slot.hpp: the offer of an instance, which can be replaced while calls use it.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <gantry/offer.hpp>

namespace gantry::detail {

class OfferSlot {
 public:
  // Whether handlers of this kind exist.
  static bool knows(std::string_view kind) {
    constexpr std::array<std::string_view, 8> kKinds = {
        "tool",          "service",    "prompt", "resource", "resource_template",
        "resource_list", "completion", "method"};
    return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
  }

  // Null if neither this offer nor the previous one has the item. The pointer keeps the handler
  // alive when the offer is replaced.
  std::shared_ptr<const Handler> find(std::string_view kind, std::string_view name) const {
    const auto [now, before] = offers();
    for (const auto& offer : {now, before}) {
      const Handler* const found = offer == nullptr ? nullptr : offer->find(kind, name);
      if (found != nullptr) return {offer, found};
    }
    return nullptr;
  }

  // Sets the first offer; items that the manifest lists are not announced.
  Status begin(const Host& host, Offer offer) {
    const std::string items = offer.items();
    return put(host, std::move(offer), items);
  }

  Status replace(const Host& host, Offer offer) {
    if (offer.is_declared()) {
      return Status(GANTRY_MISUSE,
                    "an offer whose items the manifest lists cannot be replaced; announce them "
                    "(\"items\": \"probe\")");
    }
    const std::string items = offer.items();
    return put(host, std::move(offer), items);
  }

 private:
  struct Offers {
    std::shared_ptr<const Offer> now, before;
  };

  Offers offers() const {
    const std::lock_guard lock(mutex_);
    return offers_;
  }
  void set(Offers offers) {  // the old offers are destroyed without the lock
    const std::lock_guard lock(mutex_);
    std::swap(offers_, offers);
  }

  // Handlers first: calls may arrive as soon as the host knows the items.
  Status put(const Host& host, Offer offer, const std::string& items) {
    const std::lock_guard one_at_a_time(replacing_);
    const Offers old = offers();
    set({std::make_shared<const Offer>(std::move(offer)), old.now});
    if (items.empty()) return {};
    const gantry_status status = host.offer(items);
    if (status >= 0) return {};
    set(old);
    return Status(status, "the host refuses the offer with status " + std::to_string(status) +
                              "; its log says why");
  }

  std::mutex replacing_;  // held while the host's offer() runs
  mutable std::mutex mutex_;
  Offers offers_;
};

}  // namespace gantry::detail
