// The implementations behind the make_* functions; everybody else uses the modules' headers.
#pragma once

#include "blocks/request_control/critical_data_tracker.h"
#include "blocks/request_control/request_analyzer.h"
#include "blocks/request_control/windows_manager.h"

namespace warpsieve::request_control {

std::unique_ptr<RequestAnalyzer> make_request_analyzer_model(const AnalyzerParams& params);
std::unique_ptr<RequestAnalyzer> make_request_analyzer_rtl(const AnalyzerParams& params, const std::string& name);
std::unique_ptr<WindowsManager> make_windows_manager_model(const WindowsParams& params);
std::unique_ptr<WindowsManager> make_windows_manager_rtl(const WindowsParams& params, const std::string& name);
std::unique_ptr<CriticalDataTracker> make_critical_data_tracker_model(const TrackerParams& params);
std::unique_ptr<CriticalDataTracker> make_critical_data_tracker_rtl(const TrackerParams& params,
                                                                    const std::string& name);

}  // namespace warpsieve::request_control
