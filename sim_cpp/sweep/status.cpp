#include "sweep/status.h"

#include <algorithm>

namespace warpsieve::sweep {

Status status_of(const Store& store) { return status_of(store, store.load()); }

Status status_of(const Store& store, const Sweep& sweep) {
  Status s;
  s.name = sweep.name;
  s.version = sweep.version;
  s.total = sweep.points.size();
  const Times times = store.times();
  s.peak = times.peak();
  double left = 0;
  for (const Point& p : sweep.points) {
    const State state = store.state(p);
    switch (state) {
      case State::done: ++s.done; break;
      case State::failed:
        ++s.failed;
        s.failures.push_back({p.label(), store.failure(p).error});
        break;
      case State::running:
        ++s.running;
        s.runners.push_back({p.label(), store.runner(p)});
        left += times.of(group_of(p)).value_or(0) / 2;
        break;
      case State::missing:
        ++s.missing;
        left += times.of(group_of(p)).value_or(0);
        break;
    }
  }
  if (times.of("")) s.left_seconds = left / static_cast<double>(std::max<std::size_t>(s.running, 1));
  return s;
}

}  // namespace warpsieve::sweep
