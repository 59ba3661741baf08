// What a measuring program prints: one JSON object with the machine, the date, and curves or counts.
//
//   {"program": "pitch", "device": {"name": ..., "compute": "9.0", "sms": 132, ...}, "driver": "13.0",
//    "runtime": "13.0", "date": "2026-01-31T12:00:00Z", "runs": 5,
//    "curves": [{"name": ..., "x": "pitch", "x_unit": "B", "y_unit": "GB/s",
//                "points": [{"x": 128, "mean": ..., "min": ..., "max": ..., "deviation": ...}]}]}
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "json_writer.h"
#include "statistics.h"

namespace warpsieve::hardware {

/// The machine that was measured. Clocks are the highest ones that it may run at.
struct Machine {
  std::string name, compute, driver, runtime;
  int sms = 0;
  double core_mhz = 0, memory_mhz = 0;
  int bus_bits = 0;
  std::uint64_t l2_bytes = 0, memory_bytes = 0, shared_bytes_per_sm = 0;
};

struct Point {
  double x = 0;
  Spread y;
};

struct Curve {
  std::string name, x, x_unit, y_unit;
  std::vector<Point> points;
  void add(double at, const std::vector<double>& samples) { points.push_back({at, spread_of(samples)}); }
};

/// UTC, as ISO 8601 writes it.
inline std::string date_text(std::time_t when) {
  std::tm parts{};
  gmtime_r(&when, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Opens the object of a program and writes what all of them have.
inline void write_head(JsonWriter& w, const std::string& program, const Machine& m, std::time_t when, int runs) {
  w.object().key("program").value(program);
  w.key("device").object().key("name").value(m.name).key("compute").value(m.compute).key("sms").value(m.sms);
  w.key("core_mhz").value(m.core_mhz).key("memory_mhz").value(m.memory_mhz).key("bus_bits").value(m.bus_bits);
  w.key("l2_bytes").value(m.l2_bytes).key("memory_bytes").value(m.memory_bytes);
  w.key("shared_bytes_per_sm").value(m.shared_bytes_per_sm).end();
  w.key("driver").value(m.driver).key("runtime").value(m.runtime).key("date").value(date_text(when));
  w.key("runs").value(runs);
}

inline void write_spread(JsonWriter& w, const Spread& s) {
  w.key("mean").value(s.mean).key("min").value(s.min).key("max").value(s.max).key("deviation").value(s.deviation);
}

inline void write_curves(JsonWriter& w, const std::vector<Curve>& curves) {
  w.key("curves").array();
  for (const Curve& c : curves) {
    w.object().key("name").value(c.name).key("x").value(c.x).key("x_unit").value(c.x_unit);
    w.key("y_unit").value(c.y_unit).key("points").array();
    for (const Point& p : c.points) {
      w.object().key("x").value(p.x);
      write_spread(w, p.y);
      w.end();
    }
    w.end().end();
  }
  w.end();
}

}  // namespace warpsieve::hardware
