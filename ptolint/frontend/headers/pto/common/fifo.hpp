// Queues between the cube and the vector cores.
#pragma once

#include <pto/common/pto_tile.hpp>

namespace pto {

enum TileSplitAxis : uint8_t {
    TILE_NO_SPLIT = 0,
    TILE_UP_DOWN = 1,
    TILE_LEFT_RIGHT = 2,
    TILE_UP_DOWN_ODD = 3,
    TILE_LEFT_RIGHT_ODD = 4,
};
enum Direction : uint8_t {
    UNDEFINED = 0,
    DIR_C2V = 1,
    DIR_V2C = 2,
    DIR_BOTH = 3,
    DIR_V2C_CTRL = 4,
    DIR_C2V_GM = 5,
    DIR_V2C_GM = 6,
    DIR_BOTH_GM = 7,
};
enum class FIFOType : uint8_t { GM_FIFO = 0, VEC_FIFO = 1, MAT_FIFO = 2, CTRL_FIFO = 3 };
enum class VecCubeRatio : uint8_t { V1C1_VEC0 = 0, V1C1_VEC1 = 1, V2C1_VECS = 2 };
enum TSyncCVMode : uint8_t { CUBE_ALL_CORE_SYNC = 0, VEC_ALL_CORE_SYNC = 0, VEC_SUBCORES_SYNC = 1, CV_CORES_SYNC = 2 };

template <int SlotSize, int SlotNum, int LocalSlotNum>
struct RingFIFO {
    static constexpr uint32_t SLOT_SIZE = SlotSize;
    static constexpr uint32_t SLOT_NUM = SlotNum;
    static constexpr uint32_t LOCAL_SLOT_NUM = LocalSlotNum;
    void *GM_SLOT_BUFFER;
    uint32_t C2V_CONSUMER_BUF;
    uint32_t V2C_CONSUMER_BUF;
    uint64_t V2C_CONTROL_BUF;
    AICORE RingFIFO(void *gm_slots, uint32_t c2v_buffer, uint32_t v2c_buffer);
};
template <typename T, FIFOType Type, int Depth, int Period, int LocalDepth = 0, typename = void>
struct DataFIFO {
    using DType = T;
    static constexpr FIFOType fifoType = Type;
    static constexpr int fifoDepth = Depth;
    static constexpr int fifoPeriod = Period;
    static constexpr int localFiFoDepth = LocalDepth;
    static constexpr bool useLocalFiFo = LocalDepth > 0;
    std::conditional_t<Type == FIFOType::GM_FIFO, T *, uint32_t> fifoBase;
    uint32_t localFiFoBase;
    bool ctrlSignal;
    template <typename Base>
    AICORE DataFIFO(Base base, uint32_t local_base = 0);
};

namespace detail {
// One end of a queue; which of the members act depends on the side.
struct PipeEnd {
    int tileIndex;
    int subTileIndex;
    int entryOffset;
    uint32_t controlIndex;
    AICORE void setTileId(int index, int sub_index);
    AICORE void setEntryOffset(int offset);
    AICORE void setAllocateStatus(bool on);
    AICORE void setRecordStatus(bool on);
    AICORE void setWaitStatus(bool on);
    AICORE void setFreeStatus(bool on);
    AICORE int getTileId() const;
    AICORE int getSubTileId() const;
    AICORE bool getAllocateStatus() const;
    AICORE bool getRecordStatus() const;
    AICORE bool getWaitStatus() const;
    AICORE bool getFreeStatus() const;
    AICORE void allocate() const;
    AICORE void record() const;
    AICORE void wait() const;
    AICORE void free() const;
    template <TileSplitAxis Split>
    AICORE void allocate() const;
    template <TileSplitAxis Split>
    AICORE void record() const;
    template <TileSplitAxis Split>
    AICORE void wait() const;
    template <TileSplitAxis Split>
    AICORE void free() const;
};
} // namespace detail

template <uint8_t FlagID, uint8_t DirType, uint32_t SlotSize, uint32_t SlotNum, uint32_t LocalSlotNum = 2,
          bool IsNoSplit = false, bool EnableUnitFlag = false>
struct TPipe {
    using RingFiFo = RingFIFO<SlotSize, SlotNum, LocalSlotNum>;
    using Producer = detail::PipeEnd;
    using Consumer = detail::PipeEnd;
    static constexpr uint8_t DIR_TYPE = DirType & 7;
    static constexpr bool is_c2v = DIR_TYPE == DIR_C2V;
    static constexpr bool is_v2c = DIR_TYPE == DIR_V2C;
    static constexpr bool is_both = DIR_TYPE == DIR_BOTH;
    static constexpr bool is_v2c_ctrl = DIR_TYPE == DIR_V2C_CTRL;
    static constexpr uint32_t SyncPeriod = SlotNum <= 2 ? SlotNum : SlotNum / 2;
    // Free slots of which the producer has not yet taken notice after `tiles` pushes.
    AICORE static constexpr uint32_t countPendingFreeCredits(uint32_t tiles)
    {
        const uint32_t freed = tiles / SyncPeriod;
        const uint32_t first = (SlotNum + SyncPeriod - 1) / SyncPeriod * SyncPeriod;
        const uint32_t last = tiles == 0 ? 0 : (tiles - 1) / SyncPeriod * SyncPeriod;
        const uint32_t taken = tiles > SlotNum && last >= first ? (last - first) / SyncPeriod + 1 : 0;
        return freed - taken;
    }
    RingFiFo fifo;
    Producer prod;
    Consumer cons;
    AICORE explicit TPipe(void *gm_slots, uint32_t c2v_buffer, uint32_t v2c_buffer);
};

template <uint8_t FlagID, FIFOType Type, uint8_t Depth, uint8_t Period, typename TileProd, typename TileCons,
          bool EnableUnitFlag = false, uint8_t LocalDepth = 0, VecCubeRatio Ratio = VecCubeRatio::V2C1_VECS>
struct TMPipe {
    using DataFiFo = DataFIFO<typename TileCons::DType, Type, Depth, Period, LocalDepth>;
    using Producer = detail::PipeEnd;
    using Consumer = detail::PipeEnd;
    DataFiFo fifo;
    Producer prod;
    Consumer cons;
    template <typename Base>
    AICORE explicit TMPipe(Base fifo_base, uint32_t local_base = 0);
};

namespace detail {
template <typename T>
struct isPipe : std::false_type {};
template <uint8_t F, uint8_t D, uint32_t S, uint32_t N, uint32_t L, bool Q, bool U>
struct isPipe<TPipe<F, D, S, N, L, Q, U>> : std::true_type {};
template <uint8_t F, FIFOType T, uint8_t D, uint8_t P, typename A, typename B, bool U, uint8_t L, VecCubeRatio R>
struct isPipe<TMPipe<F, T, D, P, A, B, U, L, R>> : std::true_type {};
} // namespace detail

} // namespace pto
