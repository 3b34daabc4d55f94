import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

const program = new URL('./processes-not-traced.pl', import.meta.url)

export const initUntampered: Guarantee = {
  id: 'processes-not-traced',
  chapter: 'processes',
  claim: "No process of a cell can trace the cell's init or access its memory, and none can take descriptors of another process.",
  mechanism:
    'The seccomp filter refuses ptrace of process 1, and process_vm_readv, process_vm_writev, pidfd_getfd and kcmp of all. An empty read-only file covers /proc/1/mem.',
  kind: 'policy',
  why: 'The end of the init ends every process of the cell, and a helper may have data that the agent must not read.',
  fails: [
    'Programs of a cell can trace each other, as debuggers and sanitizers do, and open /proc/PID/mem.',
    'With --allow-degraded nested-sandbox also that of the init. Whatever it does to the init that way, the host still ends the cell.',
  ],
  probe: async (bench) => {
    const { result } = await bench.inside(
      async ({ fs, perl, childProcess, attempt }, given) => {
        const child = childProcess.spawn('/bin/sleep', ['20'], { stdio: 'ignore' })
        const ran = perl(given.program, given.arch, '1', String(child.pid))
        const alive = child.exitCode === null && child.pid !== undefined
        child.kill('SIGKILL')
        const size = (file: string): number => fs.readFileSync(file).length
        const memory = ['/proc/1/mem', '/proc/1/task/1/mem', '/proc/self/root/proc/1/mem'].map((each) => [
          [`write ${each}`, attempt(() => fs.openSync(each, 'r+'))],
          [`read ${each}`, attempt(() => size(each) === 0 || fs.closeSync(-1))],
        ])
        return ran === null ? null : { ...ran, alive, memory: Object.fromEntries(memory.flat()) as Record<string, string> }
      },
      { program: readFileSync(program, 'utf8'), arch: process.arch },
    )
    if (result === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
    if (!result.alive) return broken('the process to be traced could not be started')
    const tried = Object.fromEntries(
      result.stdout
        .trim()
        .split('\n')
        .map((line) => {
          const [name = '', answer = ''] = line.split(':')
          return [name, answer === '1' ? 'EPERM' : answer]
        }),
    )
    if (Object.keys(tried).length !== 12)
      return broken(`only ${Object.keys(tried).length} of 12 calls were made: ${result.stderr.slice(0, 200)}`)
    const open = Object.entries(result.memory).filter(([what, outcome]) =>
      what.startsWith('write') ? !['EACCES', 'EROFS'].includes(outcome) : outcome !== 'ok',
    )
    if (open.length > 0) return broken(`the memory of the init: ${open.map((each) => each.join(': ')).join(', ')}`)
    const own = Object.keys(tried).filter((each) => /^(attach|seize) (?!1$)/.test(each))
    if (!own.some((each) => tried[each] === 'ok')) return broken(`a process could not trace its own child, so the probe is inconclusive`)
    const finding = unlessAll(Object.fromEntries(Object.entries(tried).filter(([each]) => !own.includes(each))), ['EPERM'])
    return (
      finding ??
      held(
        `attach, seize, read, write, take a descriptor of, compare: the init and a child, whose tracing is allowed: ${countOutcomes(tried)}; the init's memory in /proc is covered`,
      )
    )
  },
}
