// Types of the communication instructions.
#pragma once

#include <pto/common/pto_tile.hpp>

namespace pto {
namespace comm {

enum class NotifyOp : uint8_t { AtomicAdd = 0, Set = 1 };
enum class WaitCmp : uint8_t { EQ = 0, NE = 1, GT = 2, GE = 3, LT = 4, LE = 5 };
enum class ReduceOp : uint8_t { Sum = 0, Max = 1, Min = 2 };
enum class DmaEngine : uint8_t { SDMA = 0, URMA = 1, RDMA = 2 };
enum class CollEngine : uint8_t { AIV = 0, CCU = 1 };
enum class CcuInputSource : uint8_t { HostManaged = 0, AivStored = 1 };

struct CcuTriggerContext {
    uint64_t ckeSlotVA{0};
    uint32_t mask{0};
    uint32_t selfIdx{0};
    CcuInputSource inputSource{CcuInputSource::HostManaged};
};

// The views of one tensor on every rank of a group, and the rank that roots a collective.
template <typename GlobalData>
struct ParallelGroup {
    using value_type = GlobalData;
    GlobalData *tensors{nullptr};
    int nranks{0};
    int rootIdx{-1};
    constexpr ParallelGroup() = default;
    AICORE constexpr ParallelGroup(GlobalData *array, int size, int root)
        : tensors(array), nranks(size), rootIdx(root)
    {}
    AICORE static constexpr ParallelGroup Create(GlobalData *array, int size, int root)
    {
        return ParallelGroup(array, size, root);
    }
    AICORE constexpr int GetRootIdx() const { return rootIdx; }
    AICORE constexpr int GetSize() const { return nranks; }
    AICORE constexpr bool empty() const { return nranks == 0; }
    AICORE constexpr GlobalData &operator[](int rank) { return tensors[rank]; }
    AICORE constexpr const GlobalData &operator[](int rank) const { return tensors[rank]; }
};

using Signal = GlobalTensor<int32_t, Shape<1, 1, 1, 1, 1>, Stride<1, 1, 1, 1, 1>, Layout::ND>;
template <typename Element, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
using GlobalSignal = GlobalTensor<Element, Shape_, Stride_, Layout_>;
template <int Rows, int Cols>
struct Signal2D : GlobalTensor<int32_t, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::ND> {
    using Base = GlobalTensor<int32_t, Shape<1, 1, 1, Rows, Cols>, Stride<1, 1, 1, DYNAMIC, 1>, Layout::ND>;
    AICORE Signal2D(int32_t *pointer) : Base(pointer, typename Base::Shape{}, typename Base::Stride{Cols}) {}
    AICORE Signal2D(int32_t *pointer, int stride)
        : Base(pointer, typename Base::Shape{}, typename Base::Stride{stride})
    {}
};

namespace sdma {
constexpr uint64_t kDefaultSdmaBlockBytes = 1024 * 1024;
constexpr uint32_t kAutoChannelGroupIdx = 0xffffffffU;
constexpr uint32_t UB_ALIGN_SIZE = 256;
struct SdmaBaseConfig {
    uint64_t block_bytes;
    uint64_t comm_block_offset;
    uint32_t queue_num;
};
class SdmaWorkspaceManager {
public:
    template <typename... A>
    bool Init(A &&...);
    void Finalize();
    void *GetWorkspaceAddr() const;
};
} // namespace sdma

struct AsyncSession {
    DmaEngine engine{DmaEngine::SDMA};
    bool valid{false};
    uint8_t *contextGm{nullptr};
    uint8_t *tmpBufAddr{nullptr};
    uint32_t tmpBufSize{0};
    uint32_t syncId{0};
    uint32_t channelGroupIdx{sdma::kAutoChannelGroupIdx};
    uint64_t blockBytes{sdma::kDefaultSdmaBlockBytes};
    uint64_t commBlockOffset{0};
    uint32_t queueNum{1};
    uint32_t qpIdx{0};
    uint32_t destRankId{0};
};
struct AsyncEvent {
    uint64_t handle{0};
    DmaEngine engine{DmaEngine::SDMA};
    constexpr AsyncEvent() = default;
    AICORE constexpr AsyncEvent(uint64_t handle_, DmaEngine engine_) : handle(handle_), engine(engine_) {}
    AICORE constexpr bool valid() const { return handle != 0; }
    AICORE bool Wait(const AsyncSession &session) const;
    AICORE bool Test(const AsyncSession &session) const;
};

template <DmaEngine engine = DmaEngine::SDMA, typename ScratchTile>
PTO_INTRINSIC bool BuildAsyncSession(ScratchTile &scratch_tile, uint8_t *workspace, AsyncSession &session,
                                     uint32_t sync_id = 0,
                                     const sdma::SdmaBaseConfig &config = {sdma::kDefaultSdmaBlockBytes, 0, 1},
                                     uint32_t channel_group = sdma::kAutoChannelGroupIdx);
template <DmaEngine engine>
PTO_INTRINSIC bool BuildAsyncSession(uint8_t *workspace, AsyncSession &session);
template <DmaEngine engine>
PTO_INTRINSIC bool BuildAsyncSession(uint8_t *workspace, uint32_t dest_rank_id, AsyncSession &session);

} // namespace comm

struct PrefetchAsyncContext {
    Tile<TileType::Vec, uint8_t, 1, comm::sdma::UB_ALIGN_SIZE> scratchTile;
    comm::AsyncSession session;
    AICORE explicit PrefetchAsyncContext(uint8_t *workspace, comm::AsyncSession *shared = nullptr);
    AICORE comm::AsyncSession &GetSession();
    AICORE const comm::AsyncSession &GetSession() const;
};
} // namespace pto
