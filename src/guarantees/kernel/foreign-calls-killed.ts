import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

export const foreignCallsKilled: Guarantee = {
  id: 'foreign-calls-killed',
  chapter: 'kernel',
  claim:
    "A program that calls the kernel with another architecture's call numbers is killed, so no call bypasses the filter through a second number.",
  mechanism: 'The seccomp filter checks the architecture first, and on x86-64 kills calls of the x32 interface.',
  kind: 'policy',
  why: 'The same call has other numbers there, which the list would not cover.',
  fails: ['None known.'],
  probe: async (bench) => {
    if (process.arch !== 'x64') return unenforceable('this machine has no x32 interface, and 32-bit programs could not be tried')
    const { result } = await bench.inside(({ perl }) => {
      const x32 = perl('print syscall(0x40000000 | 39)')
      const own = perl('print syscall(39) > 0 ? "done" : "odd"')
      return { x32, own }
    }, null)
    if (result.x32 === null || result.own === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
    if (result.own.stdout !== 'done')
      return broken(`the same call of this architecture did not work (${result.own.code}), so the probe is inconclusive`)
    if (result.x32.code !== null || result.x32.stdout !== '')
      return broken(`a call of x32 was answered: ${result.x32.stdout || `exit code ${result.x32.code}`}`)
    return held('getpid by its x32 number killed the program; by its own number it worked')
  },
}
