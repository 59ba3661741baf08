#include "memsys/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/short_name.h"
#include "memsys/local/local_report.h"

namespace warpsieve::memsys {
namespace {

/// The machine with what the scheme changes in it.
Profile amended(Profile profile, const Scheme& scheme) {
  scheme.amend(profile);
  profile.check();
  return profile;
}

/// Runs setup() before anything is sized by the image. Private memory lies behind it, from a multiple of 2 KB on.
AddressMap make_map(const Profile& profile, simt::Workload& workload) {
  workload.setup();
  AddressMap map;
  map.base = workload.base();
  map.size = workload.image().size();
  if (const std::uint32_t lines = LocalLayout::lines(profile)) {
    map.local_first = static_cast<std::uint32_t>((map.size + 2047) / 2048 * 16);
    map.size = (std::uint64_t{map.local_first} + std::uint64_t{lines} * profile.sms) * kLineBytes;
  }
  map.chunk_shift = profile.chunk_shift;
  map.controllers = profile.controllers;
  map.hash_by(static_cast<HashKind>(profile.hash));
  if (map.base % kLineBytes) throw std::invalid_argument("device memory must start at a multiple of 128 bytes");
  return map;
}

}  // namespace

Gpu::Gpu(const Profile& machine, Scheme& scheme, simt::Workload& workload, Threads threads)
    : context_{amended(machine, scheme), make_map(machine, workload)}, scheme_(scheme), workload_(workload),
      counters_(context_.stats), spiller_(machine.spill), first_sm_id_(context_.wakes.add(context_.profile.sms)),
      first_slice_id_(context_.wakes.add(context_.profile.controllers * kSlicesPerController)), noc_(make_noc()),
      prefetch_(context_, noc_->requests().outlets(), noc_->replies().outlets(), partitions_, sms_),
      prefetches_(HostPrefetch::pays(context_.profile, noc_->lookahead())), dispatcher_(context_, sms_),
      kernels_(nlohmann::ordered_json::array()) {
  const Profile& profile = context_.profile;
  context_.golden.load(workload.base(), workload.image(), context_.map.size, workload.blank());
  const bool windows = threads.most > 1 && Windows::possible(*noc_);
  for (std::uint32_t i = 0; windows && i < profile.sms + profile.controllers; ++i) {
    parts_.push_back(std::make_unique<Context>(kPart, context_));
    part_counters_.push_back(std::make_unique<Counters>(parts_.back()->stats));
  }
  const auto context = [&](std::uint32_t part) -> Context& { return windows ? *parts_[part] : context_; };
  const auto counters = [&](std::uint32_t part) -> Counters& { return windows ? *part_counters_[part] : counters_; };
  Network &requests = noc_->requests(), &replies = noc_->replies();
  for (std::uint32_t i = 0; i < profile.sms; ++i) {
    Counters& c = counters(i);
    sms_.push_back(
        std::make_unique<Sm>(context(i), c.sm, c.l1, c.local, i, first_sm_id_ + i, requests, replies, scheme));
  }
  if (scheme.needs_clusters() && profile.noc.cluster == 1)
    throw ConfigError(fmt::format("scheme {}: noc.cluster = 1: expected at least 2 SMs per cluster", scheme.name()));
  std::vector<L1Cache*> l1s;
  for (auto& sm : sms_) l1s.push_back(&sm->l1());
  if (clusters_) clusters_->connect(l1s, scheme);
  first_partition_id_ = context_.wakes.size();
  for (std::uint32_t c = 0; c < profile.controllers; ++c)
    partitions_.push_back(std::make_unique<Partition>(context(profile.sms + c), counters(profile.sms + c).l2, scheme,
                                                      c, first_slice_id_ + c * kSlicesPerController, requests,
                                                      replies));
  const std::uint32_t loaded = workload.blank() ? 0 : context_.golden.lines();  // DRAM never written holds zeros
  for (GlobalLine line; line < loaded; ++line) {
    const AddressMap::Place place = context_.map.place(line);
    for (unsigned s = 0; s < kSectors; ++s)
      partitions_[place.controller]->dram().store().write(std::uint64_t{place.line} * kLineBytes + s * kSectorBytes,
                                                          context_.golden.line(line) + s * kSectorBytes);
  }
  const std::uint64_t copied = profile.image_in_l2 ? workload.image().size() / kLineBytes : 0;
  for (GlobalLine line; line < copied; ++line) {
    const AddressMap::Place place = context_.map.place(line);
    partitions_[place.controller]->slice(AddressMap::slice(place.line)).preload(place.line);
  }
  if (windows)
    windows_ = std::make_unique<Windows>(Windows::Machine{context_, sms_, partitions_, *noc_, prefetch_, prefetches_,
                                                          dispatcher_, first_sm_id_, parts_},
                                         threads);
  clock_id_ = context_.wakes.add(1);
}

Gpu::~Gpu() = default;

/// Clusters of SMs share a link of the network.
std::unique_ptr<Interconnect> Gpu::make_noc() {
  if (context_.profile.noc.cluster == 1) return make_interconnect(context_, first_sm_id_, first_slice_id_);
  auto clusters = std::make_unique<Clusters>(context_, first_sm_id_, first_slice_id_);
  clusters_ = clusters.get();
  return clusters;
}

/// Moves the clock to the next cycle in which a component is due; kNever if none ever is.
Cycle Gpu::next_due() {
  if (std::exchange(moved_, false)) return now_;
  if (needless_) wake_some();
  const Cycle next = context_.wakes.advance();
  if (next != kNever) now_ = next;
  return next;
}

/// Runs the next cycle in which a component is due; false if none ever is.
bool Gpu::advance() {
  if (next_due() == kNever) return false;
  run_cycle();
  watch();
  return true;
}

void Gpu::run_cycle() {
  if (now_ >= ahead_ || partitions_wait_) run_partitions();
  context_.now = now_;
  noc_->run(now_);
  run_sms();
  if (dispatcher_.due() != kNever) dispatcher_.dispatch(now_);
}

void Gpu::run_sms() {
  WakeTimes& wakes = context_.wakes;
  const auto count = static_cast<std::uint32_t>(sms_.size());
  const auto run = [&](std::uint32_t i) {
    Sm& sm = *sms_[i];
    wakes.wake(first_sm_id_ + i, sm.tick(now_));
    if (windows_) sm.note_idle(now_);
    if (const std::uint32_t n = sm.take_finished()) dispatcher_.finished(n);
  };
  if (!windows_)
    return wakes.take_due(first_sm_id_, first_sm_id_ + count, [&](std::uint32_t id) { run(id - first_sm_id_); });
  const std::uint32_t owner = windows_->first_owner();
  wakes.take_due(owner, owner + count, [&](std::uint32_t id) {
    const std::uint32_t own = first_sm_id_ + id - owner;
    if (wakes.take(own, now_)) run(id - owner);
    wakes.rest(id, wakes.at(own));  // also when the entry itself was woken
  });
}

/// As advance(), a window of cycles, by as many threads as are fastest.
bool Gpu::advance_window() {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t before = last_progress_;
  if (next_due() == kNever) return false;
  // Behind the end of a kernel the rest of a window has been run, by all components but those it is to start.
  const bool alone = now_ >= ahead_ && windows_->alone();
  if (alone)
    window_alone();
  else
    window_together();
  steps_ |= steps_ & 0xf ? 0 : 0xfff0;  // a window is long: one in 16 is shown
  watch();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  windows_->measured(alone, time.count(), last_progress_ - before);
  return true;
}

/// Comes to the first cycle that is due behind the window, or to the end of the kernel.
void Gpu::window_alone() {
  run_cycle();
  while (!kernel_done() && next_due() != kNever) {
    if (now_ >= ahead_) {
      moved_ = true;
      return;
    }
    run_cycle();
  }
}

void Gpu::window_together() {
  const bool partitions = now_ >= ahead_;
  if (partitions) {
    ahead_ = now_ + noc_->lookahead();
    context_.golden.reached(now_);
  }
  partitions_ran_ = std::max(partitions_ran_, windows_->run(now_, ahead_, partitions));
  partitions_wait_ = windows_->partition_waits();
}

void Gpu::run_partitions() {
  const bool all = now_ >= ahead_;
  if (all) {
    ahead_ = now_ + (in_step_ ? 1 : noc_->lookahead());
    context_.golden.reached(now_);
  }
  partitions_wait_ = false;
  const bool prefetch = all && prefetches_ && !in_step_;
  if (prefetch) prefetch_.before_partitions(now_, ahead_);
  for (std::size_t i = 0; i < partitions_.size(); ++i) {
    if (prefetch) prefetch_.before_partition(i, now_, ahead_);
    Partition& p = *partitions_[i];
    if (all || p.waits()) {
      partitions_ran_ = std::max(partitions_ran_, p.run(now_, ahead_));
      if (windows_) parts_[sms_.size() + i]->golden.show_kept();
    }
    partitions_wait_ = partitions_wait_ || p.waits();
  }
  if (prefetch) prefetch_.before_sms(now_, ahead_);
}

void Gpu::watch() {
  // Also when something moves at last: cycles in which no component is due are skipped.
  if (now_ > last_moved_ + context_.profile.patience)
    deadlock(fmt::format("nothing moved for {} cycles", now_ - last_moved_));
  if (const std::uint64_t now = progress(); now != last_progress_) {
    last_progress_ = now;
    last_moved_ = std::max({last_moved_, now_, partitions_ran_});  // it may be a partition that is ahead
  }
  if (progress_ && dispatcher_.active() && (++steps_ & 0xffff) == 0)
    progress_({dispatcher_.shape().kernel, dispatcher_.blocks_done(), dispatcher_.shape().blocks, now_,
               warp_instructions()});
}

std::uint64_t Gpu::progress() const {
  std::uint64_t sum = context_.progress;
  for (const auto& part : parts_) sum += part->progress;
  return sum;
}

std::uint64_t Gpu::warp_instructions() const {
  std::uint64_t sum = counters_.sm.warp_instructions.get();
  for (const auto& part : part_counters_) sum += part->sm.warp_instructions.get();
  return sum;
}

/// Runs to cycle `to`.
void Gpu::pass(Cycle to) {
  if (to <= now_) return;
  context_.wakes.wake(clock_id_, to);
  last_moved_ = std::max(last_moved_, to);
  while (now_ < to) advance();
  context_.wakes.take(clock_id_, to);
}

/// Comes to a cycle that no partition is ahead of, the same one however far they were; they keep to the clock.
void Gpu::meet() {
  in_step_ = true;
  pass(now_ + noc_->lookahead());
}

bool Gpu::settled() const {
  return std::all_of(partitions_.begin(), partitions_.end(), [](const auto& p) { return p->idle(); }) &&
         std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->idle(); }) &&
         noc_->requests().idle() && noc_->replies().idle();
}

/// Runs until nothing is left to do.
void Gpu::settle() {
  const bool windows = windows_ && !in_step_;
  while (!settled())
    if (!(windows ? advance_window() : advance())) deadlock("work is left and no component is due");
}

/// Those that are idle stay so once no block is left.
bool Gpu::sms_idle() {
  while (idle_sms_ < sms_.size() && sms_[idle_sms_]->idle()) ++idle_sms_;
  return idle_sms_ == sms_.size();
}

/// Until all blocks of the kernel are done, and the SMs have nothing under way.
void Gpu::finish_blocks() {
  idle_sms_ = 0;
  const bool windows = windows_ && !in_step_;
  bool ran = false;
  while (!kernel_done()) {
    ran = true;
    if (windows ? advance_window() : advance()) continue;
    if (!settled()) deadlock("work is left and no component is due");
    deadlock(fmt::format("{} of {} blocks are done", dispatcher_.blocks_done(), dispatcher_.shape().blocks));
  }
  if (!windows || !ran) return;
  for (const auto& sm : sms_)
    now_ = std::max(now_, sm->idle_since());  // nothing has happened behind it in the window
}

/// Half of all components, in the next cycle that they have not come to.
void Gpu::wake_some() {
  const std::uint32_t slices = static_cast<std::uint32_t>(partitions_.size()) * kSlicesPerController;
  for (std::uint32_t id = 0; id < clock_id_; ++id) {
    needless_ = needless_ * 1664525u + 1013904223u;
    if (!(needless_ >> 16 & 1)) continue;
    const bool ahead =
        windows_ || id >= first_partition_id_ || (id >= first_slice_id_ && id < first_slice_id_ + slices);
    const Cycle next = now_ + 1;
    const Cycle after = in_step_ ? 0 : (needless_ >> 17) % noc_->lookahead();
    context_.wakes.wake(id, ahead ? std::max(next, ahead_) + after : next);
  }
}

void Gpu::run_launch(simt::Launch& launch) {
  simt::LaunchShape shape = launch.shape();
  shape.kernel = short_name(shape.kernel, kJsonName);
  if (context_.profile.spill.on() && !launch.spill_with(spiller_))
    throw std::invalid_argument(fmt::format(
        "kernel {}: spills were asked for, but its streams do not tell what registers hold", shape.kernel));
  if (context_.profile.sm.shared_interval == 0) launch.skip_shared_passes();  // they cost no time
  const Cycle start = now_;
  pass(start + context_.profile.launch_latency);
  dispatcher_.start(launch, shape);
  context_.stats.gather();  // those of private memory are read as a whole, here and at the end
  const std::uint64_t before = warp_instructions();
  const std::uint64_t accesses = counters_.local.accesses(), transactions = counters_.local.transactions();
  if (shape.blocks) dispatcher_.prepare();  // first: occupancy depends on its registers
  const std::uint32_t spare_bytes = spare_shared_bytes(context_.profile.sm, dispatcher_.shape());
  for (auto& sm : sms_) sm->start_kernel(now_, dispatcher_.shape());
  dispatcher_.dispatch(now_);
  finish_blocks();
  for (auto& sm : sms_) sm->flush_private(now_);
  finish_blocks();
  for (auto& sm : sms_) sm->end_kernel();
  if (clusters_) clusters_->end_kernel();
  dispatcher_.end();
  context_.stats.gather();
  kernels_.push_back({{"kernel", shape.kernel},
                      {"blocks", shape.blocks},
                      {"cycles", now_ - start},
                      {"warp_instructions", warp_instructions() - before},
                      {"spare_shared_bytes", spare_bytes}});
  if (context_.map.local_first) {
    kernels_.back()["private_accesses"] = counters_.local.accesses() - accesses;
    kernels_.back()["private_transactions"] = counters_.local.transactions() - transactions;
  }
}

/// Of so many launches of a kernel in turn the first one, of the next so many the last one: launches that get larger
/// or smaller evenly have the mean of all.
bool Gpu::in_sample(const simt::Launch& launch) {
  const std::uint32_t each = context_.profile.launch_sample, number = launches_[launch.shape().kernel]++;
  return number % each == (number / each % 2 ? each - 1 : 0);
}

/// Executes the launch, and copies in the sectors that it changed.
void Gpu::skip_launch(simt::Launch& launch) {
  ++skipped_;
  launch.skip_shared_passes();
  for (std::uint32_t block = 0; block < launch.shape().blocks; ++block) launch.run_block(block);
  if (workload_.blank()) return;
  const std::span<const std::uint8_t> image = workload_.image();
  std::vector<simt::HostWrite> writes;
  for (std::size_t at = 0; at < image.size(); at += kSectorBytes) {
    const auto bytes = image.subspan(at, std::min<std::size_t>(kSectorBytes, image.size() - at));
    const std::uint8_t* now = context_.golden.line(GlobalLine{static_cast<std::uint32_t>(at / kLineBytes)});
    if (std::equal(bytes.begin(), bytes.end(), now + at % kLineBytes)) continue;
    const Addr address = context_.map.base + at;
    if (writes.empty() || writes.back().address + writes.back().bytes.size() != address)
      writes.push_back({address, {}});
    writes.back().bytes.insert(writes.back().bytes.end(), bytes.begin(), bytes.end());
  }
  host_writes(writes);
}

/// Lets the memory system finish what it has begun, which is counted, then does `work`, which is not.
template <class F>
void Gpu::untimed(F&& work) {
  const Cycle start = now_;
  const bool in_step = in_step_;
  // An idle channel refreshes lazily: refreshes that fell into the time before are counted, the others are not.
  const auto refreshed = [&] {
    for (auto& p : partitions_) p->dram().count_idle_refreshes(now_);
  };
  meet();
  settle();
  refreshed();
  context_.stats.freeze();
  work();
  settle();
  refreshed();
  context_.stats.thaw();
  in_step_ = in_step;
  untimed_cycles_ += now_ - start;
}

void Gpu::host_writes(const std::vector<simt::HostWrite>& writes) {
  if (writes.empty()) return;
  untimed([&] {
    for (const simt::HostWrite& w : writes) {
      if (w.address < context_.map.base || w.address + w.bytes.size() > context_.map.base + context_.map.size)
        throw std::out_of_range(fmt::format("host write at {:#x} is outside of device memory", w.address));
      for (std::size_t done = 0; done < w.bytes.size();) {
        const Addr at = w.address + done - context_.map.base;
        const auto offset = static_cast<unsigned>(at % kLineBytes);
        const auto n = static_cast<unsigned>(std::min<std::size_t>(kLineBytes - offset, w.bytes.size() - done));
        const std::uint32_t handle = context_.packets.take();
        Packet& p = context_.packets[handle];
        const GlobalLine line{static_cast<std::uint32_t>(at / kLineBytes)};
        const AddressMap::Place place = context_.map.place(line);
        p.bytes = {};
        for (unsigned i = offset; i < offset + n; ++i) p.bytes[i / kSectorBytes] |= 1u << (i % kSectorBytes);
        p.start(PacketKind::write, kHostSm, line, place.line, sectors_of(p.bytes), now_);
        std::memcpy(p.data.bytes.data() + offset, w.bytes.data() + done, n);
        L2Slice& slice = partitions_[place.controller]->slice(AddressMap::slice(place.line));
        while (!slice.can_push_copy())
          if (!advance()) deadlock("a host write is not taken");
        slice.push_copy(now_, handle);
        done += n;
      }
    }
  });
}

/// Flushes the L2 and reads the whole device memory back through the scheme; of a blank one, what was written.
void Gpu::finish_memory() {
  untimed([&] {
    for (auto& p : partitions_)
      for (unsigned s = 0; s < kSlicesPerController; ++s) p->slice(s).start_flush(now_);
    in_step_ = false;  // it takes as long as it takes
    settle();
    meet();
    in_step_ = false;
    for (auto& p : partitions_) p->start_read_back(now_);
  });
  context_.golden.compare_image(workload_.image(), workload_.order_dependent(), kTolerance);
}

void Gpu::check_conservation() const {
  const auto equal = [](const char* what, std::uint64_t a, std::uint64_t b) {
    if (a != b) throw std::logic_error(fmt::format("conservation: {}: {} != {}", what, a, b));
  };
  Network &requests = noc_->requests(), &replies = noc_->replies();
  equal("packets into and out of the request network", requests.packets_in(), requests.packets_out());
  equal("packets into and out of the reply network", replies.packets_in(), replies.packets_out());
  equal("bytes into and out of the request network", requests.bytes_in(), requests.bytes_out());
  equal("bytes into and out of the reply network", replies.bytes_in(), replies.bytes_out());
  std::uint64_t merged = context_.merged_reads;
  for (const auto& part : parts_) merged += part->merged_reads;
  equal("requests and replies", requests.packets_in(), replies.packets_in() + merged);
  noc_->check_empty();
  equal("packets alive", context_.packets.used(), 0);
}

Result Gpu::run(std::function<void(const Progress&)> progress) {
  progress_ = std::move(progress);
  for (;;) {
    const std::unique_ptr<simt::Launch> launch = workload_.next_launch();
    host_writes(workload_.take_host_writes());
    if (!launch) break;
    if (in_sample(*launch))
      run_launch(*launch);
    else
      skip_launch(*launch);
  }
  const Cycle cycles = now_ - untimed_cycles_;
  check_conservation();
  finish_memory();
  check_conservation();
  context_.stats.gather();
  context_.golden.gather();

  Result result;
  result.cycles = cycles;
  result.warp_instructions = counters_.sm.warp_instructions.get();
  result.integrity = context_.golden.report();
  result.clean = context_.golden.clean();
  result.verify = workload_.verify();
  const double n = cycles ? static_cast<double>(cycles) : 1.0;
  auto& out = result.stats;
  out["workload"] = workload_.name();
  out["scheme"] = scheme_.name();
  out["profile"] = context_.profile.name;
  out["cycles"] = cycles;
  out["ipc"] = static_cast<double>(result.warp_instructions) / n;
  out["thread_ipc"] = static_cast<double>(counters_.sm.thread_instructions.get()) / n;
  out["peak_gbytes_per_channel"] = context_.profile.dram.peak_gbytes();
  std::uint64_t total = 0;
  auto& kinds = out["off_chip_requests"] = nlohmann::ordered_json::object();
  for (std::size_t k = 0; k < request_kinds(); ++k) {
    const std::string& kind = name(static_cast<RequestKind>(k));
    kinds[kind] = context_.stats.value("dram.requests_" + kind);
    total += context_.stats.value("dram.requests_" + kind);
  }
  kinds["total"] = total;
  if (context_.map.local_first)
    out["private_memory"] =
        local_report(counters_.local, result.warp_instructions, context_.profile.spill, spiller_.report());
  out["counters"] = context_.stats.values();
  out["kernels"] = kernels_;
  if (skipped_) out["launches_not_simulated"] = skipped_;
  out["integrity"] = result.integrity;
  out["verify"] = result.verify;
  out["scheme_report"] = scheme_.report();
  out["parameters"] = context_.profile.parameters();
  return result;
}

void Gpu::deadlock(const std::string& why) const {
  std::string out = fmt::format("deadlock in cycle {}: {}\n", now_, why);
  for (const auto& sm : sms_) out += sm->describe();
  out += noc_->requests().describe() + noc_->replies().describe();
  for (const auto& p : partitions_) out += p->describe();
  throw Deadlock(out);
}

}  // namespace warpsieve::memsys
