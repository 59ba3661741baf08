#include "blocks/request_control/request_controller.h"

#include <fmt/format.h>

#include <array>

#include "blocks/request_control/sub_blocks.h"
#include "cosim/verilated.h"
#include "rtl_points/request_control/request_controller.h"

namespace warpsieve::request_control {

std::string_view to_string(Reason reason) {
  static constexpr std::array<std::string_view, 5> names{"partial", "demanded", "fdr", "again", "ica"};
  return names.at(static_cast<std::size_t>(reason));
}

std::string describe(const ControllerAnswer& answer) {
  return fmt::format("want {:#06b} send {:#06b} {}", answer.want, answer.send, to_string(answer.reason));
}

ControllerAnswer decide(const ControllerQuery& q) {
  ControllerAnswer answer;
  const unsigned window = count(q.need) <= 2 ? 0 : 1;
  if (q.need == full_map) {
    answer.reason = Reason::demanded;
  } else if (q.enable && q.verdicts.fdr_over) {
    answer.reason = Reason::fdr;
  } else if (q.enable && q.again) {
    answer.reason = Reason::again;
  } else if (q.enable && q.verdicts.ica_over[window]) {
    answer.reason = Reason::ica;
  }
  answer.want = answer.reason == Reason::partial ? q.need : full_map;
  answer.send = static_cast<std::uint8_t>(answer.want & ~q.asked);
  return answer;
}

namespace {

template <class V>
class RequestControllerAt final : public RequestControllerRtl {
 public:
  explicit RequestControllerAt(const std::string& name) : top_(&context_, name.c_str()) {}
  ~RequestControllerAt() override { top_.final(); }
  ControllerAnswer eval(const ControllerQuery& q) override {
    top_.enable_i = q.enable;
    top_.fdr_over_i = q.verdicts.fdr_over;
    top_.ica_over_i = q.verdicts.ica_over[0] | q.verdicts.ica_over[1] << 1;
    top_.again_i = q.again;
    top_.need_i = q.need;
    top_.asked_i = q.asked;
    top_.eval();
    return {top_.want_o, top_.send_o, static_cast<Reason>(top_.reason_o)};
  }

 private:
  VerilatedContext context_;
  V top_;
};

}  // namespace

std::unique_ptr<RequestControllerRtl> make_request_controller_rtl(const std::string& name) {
  return make_at_point<rtl_points::request_controller, RequestControllerRtl>(
      {}, [&]<class V>() { return std::make_unique<RequestControllerAt<V>>(name); });
}

}  // namespace warpsieve::request_control
