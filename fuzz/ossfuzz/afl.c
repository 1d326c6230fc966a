// The AFL++ side of a fuzzer: its main function, and the coverage of Go's instrumentation for libFuzzer in
// AFL++'s map. It is compiled without instrumentation and linked with afl-clang-fast.
//
// The fork server begins before the runtime of Go, whose threads a fork would lose.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The interface of AFL++, without the macros of its compiler.
extern uint8_t *__afl_area_ptr;
extern unsigned int *__afl_fuzz_len;
extern unsigned char *__afl_fuzz_ptr;
extern int __afl_persistent_loop(unsigned int);
extern void __afl_manual_init(void);
int __afl_sharedmem_fuzzing = 1;
__attribute__((used)) static const char *volatile persistent = "##SIG_AFL_PERSISTENT##";

enum { map_size = 1 << 16, tries = 1000 }; // tries of a process

// Go counts in these bytes how often each block ran.
static uint8_t *first, *last;

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) { first = start, last = stop; }
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }

// Comparisons of texts, of which AFL++ learns by other means.
void __sanitizer_weak_hook_strcmp(void *pc, const char *a, const char *b, int result) { (void)pc, (void)a, (void)b, (void)result; }

// The runtime of Go begins in a constructor without a priority.
__attribute__((constructor(101))) static void serve(void) { __afl_manual_init(); }

int main(void) {
  while (__afl_persistent_loop(tries)) {
    for (uint8_t *p = first; p < last; p++) *p = 0;
    LLVMFuzzerTestOneInput(__afl_fuzz_ptr, *__afl_fuzz_len);
    for (uint8_t *p = first; p < last; p++)
      if (*p) __afl_area_ptr[(p - first) % map_size] += *p;
  }
}
