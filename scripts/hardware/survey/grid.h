// Launches of kernels: on the GPU under nvcc, else on the host, thread by thread, for tests without a GPU.
//
// A kernel is a function `__global__ void f(...)` that uses threadIdx.x, blockIdx.x, blockDim.x, __shared__ arrays
// and
// __syncthreads(). Grids and blocks have one dimension.
#pragma once

#include <type_traits>

#ifdef __CUDACC__

#include "../device.h"

namespace warpsieve::hardware {

template <class... P>
void run_grid(void (*kernel)(P...), unsigned blocks, unsigned threads, std::type_identity_t<P>... arguments) {
  kernel<<<blocks, threads>>>(arguments...);
  finish();
}

}  // namespace warpsieve::hardware

#else

#include "host_grid.h"

#endif
