// Runs the built program on a pseudo-terminal of a given width.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>

#include "program.h"

namespace warpsieve::tb {

/// Characters of UTF-8.
inline std::size_t width_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

struct Shown {
  int code = -1;
  std::string text;  ///< both outputs as the terminal got them, line ends as one line feed
};

/// False where the system has no pseudo-terminals (no devpts mounted).
inline bool has_terminals() {
  const int control = posix_openpt(O_RDWR | O_NOCTTY);
  if (control >= 0) close(control);
  return control >= 0;
}

/// `environment`: variables to set; an empty value unsets.
inline Shown on_terminal(const std::vector<std::string>& arguments, unsigned short columns,
                         const std::map<std::string, std::string>& environment = {}) {
  Shown shown;
  const int control = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_TRUE(control >= 0 && grantpt(control) == 0 && unlockpt(control) == 0);
  const winsize size{50, columns, 0, 0};
  ioctl(control, TIOCSWINSZ, &size);
  const int terminal = open(ptsname(control), O_RDWR | O_NOCTTY);
  const pid_t child = fork();
  if (child == 0) {
    dup2(terminal, STDOUT_FILENO);
    dup2(terminal, STDERR_FILENO);
    close(terminal);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (const auto& [name, value] : environment)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    std::string program = in_build("warpsieve");
    std::vector<std::string> copies = arguments;
    std::vector<char*> argv = {program.data()};
    for (std::string& a : copies) argv.push_back(a.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(terminal);
  std::array<char, 4096> buffer;
  for (ssize_t n;
       (n = read(control, buffer.data(), buffer.size())) > 0;)  // ends with an error: the other side closed
    shown.text.append(buffer.data(), static_cast<std::size_t>(n));
  close(control);
  int status = 0;
  waitpid(child, &status, 0);
  shown.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  for (std::size_t at; (at = shown.text.find("\r\n")) != std::string::npos;) shown.text.erase(at, 1);
  return shown;
}

}  // namespace warpsieve::tb
