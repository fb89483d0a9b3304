#pragma once
#include <stddef.h>
struct FILE;
extern "C" {
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int snprintf(char *buffer, size_t size, const char *format, ...);
int sprintf(char *buffer, const char *format, ...);
int puts(const char *text);
int fflush(FILE *file);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *buffer, size_t size, size_t count, FILE *file);
size_t fwrite(const void *buffer, size_t size, size_t count, FILE *file);
}
namespace std {
using ::FILE;
using ::fclose;
using ::fflush;
using ::fopen;
using ::fprintf;
using ::fread;
using ::fwrite;
using ::printf;
using ::puts;
using ::snprintf;
using ::sprintf;
} // namespace std
