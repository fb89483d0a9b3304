"""The bare names that a predicate may use: enum members of the PTO API and dtype names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ptolint.targets import DTYPES

ENUMS: dict[str, tuple[str, ...]] = {
    "TileType": ("Vec", "Mat", "Left", "Right", "Acc", "Bias", "Scaling", "ScaleLeft", "ScaleRight", "Ctrl"),
    "BLayout": ("RowMajor", "ColMajor"),
    "SLayout": ("NoneBox", "RowMajor", "ColMajor"),
    "Layout": (
        *("ND", "DN", "NZ", "SCALE", "MX_A_ND", "MX_A_DN", "MX_A_ZZ", "MX_B_ND", "MX_B_DN", "MX_B_NN"),
        *("HIF4_A_ZZ", "HIF4_B_NN", "NC1HWC0", "GNC1HWC0", "NCHW", "GNCHW", "NHWC", "NDC1HWC0", "NCDHW"),
        *("FRACTAL_Z", "FRACTAL_Z_S16S8", "FRACTAL_Z_3D", "MAX"),
    ),
    "PadValue": ("Null", "Zero", "Max", "Min"),
    "CompactMode": ("Null", "Normal", "RowPlusOne", "RowAlignedPadding"),
    "CmpMode": ("EQ", "NE", "LT", "LE", "GT", "GE"),
    "MaskPattern": ("P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"),
    "QuantType": ("MXFP8", "MXFP4_E2M1", "INT8_SYM", "INT8_ASYM"),
    "QuantScaleAlg": ("OCP", "NV"),
    "MxQuantAlg": ("OcpMxFp8E4M3", "NvMxFp8E4M3", "OcpMxFp4E2M1", "NvMxFp4E2M1", "Hif4"),
    "VecStoreMode": ("ND", "NZ"),
    "STPhase": ("Unspecified", "Partial", "Final"),
    "AccPhase": ("Unspecified", "Unknown", "Partial", "Final"),
    "RoundMode": ("CAST_NONE", "CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"),
    "AccToVecMode": ("SingleModeVec0", "SingleModeVec1", "DualModeSplitM", "DualModeSplitN"),
    "ReluPreMode": ("NoRelu", "NormalRelu"),
    "AtomicType": ("AtomicNone", "AtomicAdd"),
    "SaturationMode": ("ON", "OFF"),
    "TInsertMode": ("SPLIT2", "SPLIT4"),
    "SetFmatrixMode": ("FMATRIX_A_AUTO", "FMATRIX_B_AUTO", "FMATRIX_A_MANUAL", "FMATRIX_B_MANUAL"),
    "TFillPadMode": ("Normal", "InPlace", "Expand"),
    "HistByte": ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3"),
    "Algorithm": ("DEFAULT", "HIGH_PRECISION"),
    "ScatterAxis": ("SCATTER_ROW", "SCATTER_COL"),
    "ScatterAtomicOp": ("None", "Add", "Max", "Min"),
    "ScatterOOB": ("Undefined", "Skip", "Clamp", "Wrap"),
    "ScatterConflict": ("Last", "Default"),
    "GatherAxis": ("GATHER_ROW", "GATHER_COL"),
    "GatherOOB": ("Undefined", "Clamp", "Wrap", "Zero"),
    "Coalesce": ("Row", "Elem"),
    "GatherExec": ("Scalar", "Simt"),
    "Direction": (*("DIR_C2V", "DIR_V2C", "DIR_BOTH", "DIR_V2C_CTRL", "DIR_C2V_GM", "DIR_V2C_GM", "DIR_BOTH_GM"),),
    "TileSplitAxis": ("TILE_NO_SPLIT", "TILE_UP_DOWN", "TILE_LEFT_RIGHT", "TILE_UP_DOWN_ODD", "TILE_LEFT_RIGHT_ODD"),
    "GridDirection": ("NORTH", "SOUTH", "EAST", "WEST", "SOURCE"),
    "QuantMode": ("NoQuant",),
    "SyncAllMode": ("Hard", "Soft"),
    "SyncCoreType": ("AIVOnly", "AICOnly", "Mix"),
    "PrintFormat": ("Width8_Precision4", "Width8_Precision2", "Width10_Precision6"),
    "Comm": ("Set", "Sum", "SDMA", "URMA", "RDMA", "AIV", "CCU"),
    "MGatherExec": ("Scalar", "Vector"),
    "TCopyMode": ("SHALLOW_COPY", "DEEP_COPY"),
}

TARGET_NAMES = ("a2a3", "a5", "kirin9030", "kirinx90")

SYMBOLS: frozenset[str] = frozenset(m for members in ENUMS.values() for m in members) | frozenset(DTYPES)


def nearest(word: str, known: Iterable[str]) -> str:
    """`", did you mean 'x'?"` for the known name closest to `word`, or an empty text."""
    close = difflib.get_close_matches(word, sorted(set(known)), n=1, cutoff=0.5)
    return f", did you mean {close[0]!r}?" if close else ""
