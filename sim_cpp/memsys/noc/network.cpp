#include "memsys/noc/network.h"

#include "memsys/noc/crossbar.h"
#include "memsys/noc/mesh.h"
#include "memsys/noc/voq_crossbar.h"

namespace warpsieve::memsys {

std::unique_ptr<Interconnect> make_interconnect(Context& context, std::uint32_t first_link_id,
                                                std::uint32_t first_slice_id) {
  if (context.profile.noc.topology == kMeshTopology)
    return std::make_unique<Mesh>(context, Mesh::places(context.profile), first_link_id, first_slice_id);
  if (context.profile.noc.virtual_queues)
    return std::make_unique<CrossbarPair<VoqCrossbar>>(context, first_link_id, first_slice_id);
  return std::make_unique<CrossbarPair<Crossbar>>(context, first_link_id, first_slice_id);
}

}  // namespace warpsieve::memsys
