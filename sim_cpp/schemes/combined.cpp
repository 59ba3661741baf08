#include "schemes/combined.h"

#include <algorithm>

namespace warpsieve::schemes {

using namespace memsys;

namespace {

class CombinedScheme final : public Scheme {
 public:
  explicit CombinedScheme(std::vector<std::unique_ptr<Scheme>> parts)
      : parts_(std::move(parts)), baseline_(make_baseline()) {}

  std::string name() const override {
    std::string out;
    for (const auto& part : parts_) out.append(out.empty() ? "" : "+").append(part->name());
    return out;
  }
  void amend(Profile& profile) const override {
    for (const auto& part : parts_) part->amend(profile);
  }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    auto path = first(&Scheme::make_path, controller, host, stats);
    return path ? std::move(path) : baseline_->make_path(controller, host, stats);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned controller, unsigned slice, Stats& stats) override {
    return first(&Scheme::make_victim_port, controller, slice, stats);
  }
  std::unique_ptr<ClusterPath> make_cluster_path(unsigned cluster, unsigned sms, ClusterPathOwner& host,
                                                 Stats& stats) override {
    return first(&Scheme::make_cluster_path, cluster, sms, host, stats);
  }
  bool needs_clusters() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->needs_clusters(); });
  }
  std::unique_ptr<L1Port> make_l1_port(unsigned sm, L1PortOwner& host, Stats& stats) override {
    return first(&Scheme::make_l1_port, sm, host, stats);
  }
  std::unique_ptr<LocalPort> make_local_port(unsigned sm, Stats& stats) override {
    return first(&Scheme::make_local_port, sm, stats);
  }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned controller, const Profile& profile, Stats& stats) override {
    return first(&Scheme::make_reply_port, controller, profile, stats);
  }
  std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned sm, const Profile& profile, Stats& stats) override {
    return first(&Scheme::make_reply_decoder, sm, profile, stats);
  }
  nlohmann::ordered_json report() const override {
    if (parts_.size() == 1) return parts_.front()->report();
    auto out = nlohmann::ordered_json::object();
    for (const auto& part : parts_) out[part->name()] = part->report();
    return out;
  }

 private:
  /// What the first part makes that makes one.
  template <class Made, class... Parameters, class... Arguments>
  std::unique_ptr<Made> first(std::unique_ptr<Made> (Scheme::*make)(Parameters...), Arguments&... arguments) {
    for (const auto& part : parts_)
      if (auto made = (part.get()->*make)(arguments...)) return made;
    return nullptr;
  }
  std::vector<std::unique_ptr<Scheme>> parts_;
  std::unique_ptr<Scheme> baseline_;
};

}  // namespace

std::unique_ptr<Scheme> make_combined(std::vector<std::unique_ptr<Scheme>> parts) {
  return std::make_unique<CombinedScheme>(std::move(parts));
}

}  // namespace warpsieve::schemes
