#pragma once
#include <stddef.h>
extern "C" {
void *memcpy(void *dst, const void *src, size_t count);
void *memmove(void *dst, const void *src, size_t count);
void *memset(void *dst, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
char *strcpy(char *dst, const char *src);
char *strncpy(char *dst, const char *src, size_t count);
char *strstr(char *text, const char *part);
char *strchr(char *text, int letter);
char *strerror(int code);
}
namespace std {
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strchr;
using ::strcmp;
using ::strcpy;
using ::strerror;
using ::strlen;
using ::strncmp;
using ::strncpy;
using ::strstr;
} // namespace std
