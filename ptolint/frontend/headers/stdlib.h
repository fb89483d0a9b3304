#pragma once
#include <stddef.h>
extern "C" {
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
void abort() __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
int abs(int value);
long labs(long value);
int atoi(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int rand();
void srand(unsigned seed);
int system(const char *command);
}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
namespace std {
using ::abort;
using ::atof;
using ::atoi;
using ::calloc;
using ::exit;
using ::free;
using ::getenv;
using ::malloc;
using ::rand;
using ::realloc;
using ::srand;
using ::strtod;
using ::strtof;
using ::strtol;
using ::strtoul;
using ::strtoull;
using ::system;
constexpr int abs(int value) { return value < 0 ? -value : value; }
constexpr long abs(long value) { return value < 0 ? -value : value; }
constexpr long long abs(long long value) { return value < 0 ? -value : value; }
} // namespace std
