// A piece of work in a process of its own, with a pipe back to the parent.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <functional>
#include <string_view>

namespace warpsieve::run {

struct Child {
  pid_t pid = 0;
  int pipe = -1;  ///< reading end
};

/// Runs `work` in a child, with the writing end of the pipe; what it returns is the exit code. Nothing may be thrown
/// out of it. An interrupt ends the child at once, and so does the end of its parent. Throws std::runtime_error.
Child start_child(const std::function<int(int pipe)>& work);
/// Writes all of it, or as much as the reader takes.
void write_all(int file, std::string_view data);
/// Closes the pipe and waits for the end, which is told as waitpid() does.
int wait_for_end(const Child& child, rusage* used = nullptr);
/// Ends the child wherever it is.
void end_child(const Child& child);

}  // namespace warpsieve::run
