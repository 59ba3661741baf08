../request_control/ratio_window.sv
../request_control/windows_manager.sv
