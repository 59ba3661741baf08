../request_control/request_controller.sv
