/* Start of a program on a Cortex-M board in QEMU: the loader has filled all memories, the debugger prints. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern uint32_t stack_top[];
extern void initialise_monitor_handles(void);
extern int main(void);

static void failed(void)
{
    _Exit(99);
}

void started(void);
void started(void)
{
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* the floating-point unit, if there is one */
    __asm__ volatile("dsb\n isb");
    initialise_monitor_handles();
    const int code = main();
    fflush(stdout);
    _Exit(code);
}

typedef void (*handler)(void);

/* The vector table: stack, reset handler and fault handlers. */
__attribute__((section(".vectors"), used)) static const handler vectors[] = {
    (handler)(uintptr_t)stack_top, started, failed, failed, failed, failed, failed,
};
