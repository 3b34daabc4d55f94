import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

const program = new URL('./processes-not-traced.pl', import.meta.url)

export const initUntampered: Guarantee = {
  id: 'processes-not-traced',
  chapter: 'processes',
  claim: "No process of a cell can trace another or access its memory by system calls, and none can access the memory of the cell's init.",
  mechanism:
    'The seccomp filter refuses ptrace, process_vm_readv and process_vm_writev, pidfd_getfd and kcmp. An empty read-only file covers /proc/1/mem.',
  kind: 'policy',
  why: 'The end of the init ends every process of the cell, and a helper may have data that the agent must not read.',
  fails: [
    'A process can open /proc/PID/mem of the other programs of its cell.',
    'With --allow-degraded nested-sandbox also that of the init. Whatever it does to the init that way, the host still ends the cell.',
    'Debuggers do not work in a cell.',
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
    const finding = unlessAll(tried, ['EPERM'])
    return (
      finding ??
      held(
        `attach, seize, read, write, take a descriptor of, compare: the init and a child: ${countOutcomes(tried)}; the init's memory in /proc is covered`,
      )
    )
  },
}
