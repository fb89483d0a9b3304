"""Cursor, type and operator kinds of libclang 18 that the lowering tells apart."""

from __future__ import annotations

# declarations
UNEXPOSED_DECL = 1
STRUCT_DECL = 2
UNION_DECL = 3
CLASS_DECL = 4
ENUM_DECL = 5
FIELD_DECL = 6
ENUM_CONSTANT_DECL = 7
FUNCTION_DECL = 8
VAR_DECL = 9
PARM_DECL = 10
TYPEDEF_DECL = 20
CXX_METHOD = 21
NAMESPACE = 22
LINKAGE_SPEC = 23
CONSTRUCTOR = 24
DESTRUCTOR = 25
CONVERSION_FUNCTION = 26
TEMPLATE_TYPE_PARAMETER = 27
TEMPLATE_NON_TYPE_PARAMETER = 28
TEMPLATE_TEMPLATE_PARAMETER = 29
FUNCTION_TEMPLATE = 30
CLASS_TEMPLATE = 31
CLASS_TEMPLATE_PARTIAL_SPECIALIZATION = 32
TYPE_ALIAS_DECL = 36
TYPE_ALIAS_TEMPLATE_DECL = 601
STATIC_ASSERT = 602

# references
TYPE_REF = 43
BASE_SPECIFIER = 44
TEMPLATE_REF = 45
NAMESPACE_REF = 46
MEMBER_REF = 47
LABEL_REF = 48
OVERLOADED_DECL_REF = 49
VARIABLE_REF = 50
NO_DECL_FOUND = 71
INVALID_FIRST, INVALID_LAST = 70, 73

# expressions
UNEXPOSED_EXPR = 100
DECL_REF_EXPR = 101
MEMBER_REF_EXPR = 102
CALL_EXPR = 103
INTEGER_LITERAL = 106
FLOATING_LITERAL = 107
STRING_LITERAL = 109
CHARACTER_LITERAL = 110
PAREN_EXPR = 111
UNARY_OPERATOR = 112
ARRAY_SUBSCRIPT_EXPR = 113
BINARY_OPERATOR = 114
COMPOUND_ASSIGNMENT_OPERATOR = 115
CONDITIONAL_OPERATOR = 116
CSTYLE_CAST_EXPR = 117
COMPOUND_LITERAL_EXPR = 118
INIT_LIST_EXPR = 119
STMT_EXPR = 121
GNU_NULL_EXPR = 123
STATIC_CAST_EXPR = 124
DYNAMIC_CAST_EXPR = 125
REINTERPRET_CAST_EXPR = 126
CONST_CAST_EXPR = 127
FUNCTIONAL_CAST_EXPR = 128
BOOL_LITERAL_EXPR = 130
NULLPTR_LITERAL_EXPR = 131
THIS_EXPR = 132
NEW_EXPR = 134
DELETE_EXPR = 135
UNARY_EXPR = 136  # sizeof, alignof
PACK_EXPANSION_EXPR = 142
SIZE_OF_PACK_EXPR = 143
LAMBDA_EXPR = 144
ADDRSPACE_CAST_EXPR = 152

FIRST_REF, LAST_REF = 40, 50
FIRST_EXPR, LAST_EXPR = 100, 154

# statements
UNEXPOSED_STMT = 200
LABEL_STMT = 201
COMPOUND_STMT = 202
CASE_STMT = 203
DEFAULT_STMT = 204
IF_STMT = 205
SWITCH_STMT = 206
WHILE_STMT = 207
DO_STMT = 208
FOR_STMT = 209
GOTO_STMT = 210
CONTINUE_STMT = 212
BREAK_STMT = 213
RETURN_STMT = 214
ASM_STMT = 215
FOR_RANGE_STMT = 225
NULL_STMT = 230
DECL_STMT = 231

ANNOTATE_ATTR = 406
FIRST_ATTR, LAST_ATTR = 400, 441

# types
T_INVALID = 0
T_UNEXPOSED = 1
T_VOID = 2
T_BOOL = 3
T_NULLPTR = 24
T_DEPENDENT = 26
T_POINTER = 101
T_LVALUE_REFERENCE = 103
T_RVALUE_REFERENCE = 104
T_RECORD = 105
T_ENUM = 106
T_CONSTANT_ARRAY = 112
T_INCOMPLETE_ARRAY = 114
T_FUNCTION_PROTO = 111

# name, kind, bits, signed of the builtin types
BUILTIN_TYPES: dict[int, tuple[str, str, int, bool]] = {
    3: ("bool", "bool", 8, False),
    4: ("char", "int", 8, False),
    5: ("uint8_t", "int", 8, False),
    6: ("char16_t", "int", 16, False),
    7: ("char32_t", "int", 32, False),
    8: ("uint16_t", "int", 16, False),
    9: ("uint32_t", "int", 32, False),
    10: ("uint64_t", "int", 64, False),
    11: ("uint64_t", "int", 64, False),
    13: ("char", "int", 8, True),
    14: ("int8_t", "int", 8, True),
    15: ("wchar_t", "int", 32, True),
    16: ("int16_t", "int", 16, True),
    17: ("int32_t", "int", 32, True),
    18: ("int64_t", "int", 64, True),
    19: ("int64_t", "int", 64, True),
    21: ("float", "float", 32, True),
    22: ("double", "float", 64, True),
    23: ("double", "float", 64, True),
    31: ("half", "float", 16, True),
    32: ("half", "float", 16, True),
    39: ("bfloat16_t", "float", 16, True),
}

# template argument kinds
ARG_TYPE = 1
ARG_NULLPTR = 3
ARG_INTEGRAL = 4
ARG_PACK = 8

BINARY_OPERATORS = {
    3: "*", 4: "/", 5: "%", 6: "+", 7: "-", 8: "<<", 9: ">>", 11: "<", 12: ">", 13: "<=", 14: ">=", 15: "==", 16: "!=",
    17: "&", 18: "^", 19: "|", 20: "&&", 21: "||", 22: "=", 23: "*=", 24: "/=", 25: "%=", 26: "+=", 27: "-=", 28: "<<=",
    29: ">>=", 30: "&=", 31: "^=", 32: "|=", 33: ",",
}  # fmt: skip
POST_INC, POST_DEC, PRE_INC, PRE_DEC, ADDRESS_OF, DEREF, PLUS, MINUS, NOT, LOGICAL_NOT = range(1, 11)
