#include "blocks/dedup_safe/metadata_image.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "cosim/verilated.h"
#include "rtl_points/dedup_safe/metadata_image.h"

namespace warpsieve::dedup_safe {

namespace {

class ImageModel final : public MetadataImage {
 public:
  ImageModel(const ImageParams& params, std::uint32_t total, std::uint32_t spare)
      : params_(params), total_(total), spare_(spare), sectors_((total - 1) / params.entries() + 1) {}
  void reset() override {
    next_ = 0;
    popped_ = false;
    front_.reset();
  }
  const ImageSector* front() const override { return front_ ? &*front_ : nullptr; }
  void pop() override { popped_ = front_.has_value(); }
  void tick() override {
    if (popped_) front_.reset();
    popped_ = false;
    if (!front_ && next_ < sectors_) front_ = image_sector(params_, total_, spare_, next_++);
  }
  bool idle() const override { return done(); }
  bool done() const override { return next_ == sectors_ && !front_; }

 private:
  ImageParams params_;
  std::uint32_t total_, spare_, sectors_, next_ = 0;
  bool popped_ = false;
  std::optional<ImageSector> front_;
};

template <class V>
class ImageRtl final : public MetadataImage {
 public:
  ImageRtl(const ImageParams& params, std::uint32_t total, std::uint32_t spare, const std::string& name)
      : params_(params), rtl_(name) {
    auto& top = rtl_.top();
    top.cfg_total_lines_i = static_cast<decltype(top.cfg_total_lines_i + 0)>(total);
    top.cfg_spare_lines_i = static_cast<decltype(top.cfg_spare_lines_i + 0)>(spare);
    top.req_ready_i = 0;
    reset();
  }
  void reset() override {
    rtl_.reset();
    look();
  }
  const ImageSector* front() const override { return front_ ? &*front_ : nullptr; }
  void pop() override { rtl_.top().req_ready_i = front_.has_value(); }
  void tick() override {
    rtl_.tick();
    rtl_.top().req_ready_i = 0;
    look();
  }
  bool idle() const override { return done(); }
  bool done() const override { return rtl_.top().done_o; }

 private:
  void look() {
    front_.reset();
    if (!rtl_.top().req_valid_o) return;
    front_.emplace();
    front_->number = rtl_.top().req_sector_o;
    front_->data.resize(params_.sector_bytes);
    port_to_bytes(rtl_.top().req_data_o, front_->data);
  }
  ImageParams params_;
  RtlClock<V> rtl_;
  std::optional<ImageSector> front_;
};

}  // namespace

ImageSector image_sector(const ImageParams& params, std::uint32_t total, std::uint32_t spare, std::uint32_t number) {
  ImageSector sector{number, std::vector<std::uint8_t>(params.sector_bytes)};
  for (unsigned k = 0; k < params.entries(); ++k) {
    const std::uint64_t line = std::uint64_t{number} * params.entries() + k;
    if (line < total - spare || line >= total) continue;
    for (unsigned bit = 0; bit < params.entry_bits; ++bit) {
      const unsigned at = k * params.entry_bits + bit;
      if (params.value >> bit & 1) sector.data[at / 8] |= static_cast<std::uint8_t>(1u << at % 8);
    }
  }
  return sector;
}

std::unique_ptr<MetadataImage> make_metadata_image(const ImageParams& params, std::uint32_t total,
                                                   std::uint32_t spare, Backend backend, const std::string& name) {
  if (spare == 0 || spare >= total || total > std::uint64_t{1} << params.index_bits)
    throw std::invalid_argument(fmt::format(
        "metadata_image: {} spare of {} lines: expected 0 < spare < total <= 2^{}", spare, total, params.index_bits));
  if (backend == Backend::model) return std::make_unique<ImageModel>(params, total, spare);
  if (backend != Backend::rtl) throw std::invalid_argument("metadata_image: only model and rtl");
  return make_at_point<rtl_points::metadata_image, MetadataImage>(
      {{"EntryBits", params.entry_bits},
       {"Value", params.value},
       {"IndexBits", params.index_bits},
       {"SectorBytes", params.sector_bytes}},
      [&]<class V>() { return std::make_unique<ImageRtl<V>>(params, total, spare, name); });
}

}  // namespace warpsieve::dedup_safe
