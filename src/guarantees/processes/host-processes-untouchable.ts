import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { canaryProcess } from '../probe/canary-process.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

const program = new URL('./host-processes-untouchable.pl', import.meta.url)
const names: Readonly<Record<string, string>> = { 1: 'EPERM', 3: 'ESRCH' }

export const hostProcessesUntouchable: Guarantee = {
  id: 'host-processes-untouchable',
  chapter: 'processes',
  claim: 'A cell can neither signal nor trace a process of the host, read its memory, or change its limits or priority.',
  mechanism: "In the cell's PID namespace such a process has no number. The seccomp filter also refuses ptrace and similar calls.",
  kind: 'structural',
  why: 'The kernel answers that there is no such process (ESRCH) before it checks permissions.',
  fails: ['A process of yours passes a pidfd to the cell through a socket.'],
  probe: async (bench) => {
    const canary = await canaryProcess(bench.secret())
    let ended = false
    try {
      const { result } = await bench.inside(
        ({ perl, fs, attempt }, given) => {
          // Signals to itself would end the program, so the control is a call without an effect.
          const own = perl(
            'print syscall($ARGV[0] eq "arm64" ? 141 : 140, 0, $ARGV[1] + 0) == -1 ? "no" : "ok"',
            given.arch,
            String(process.pid),
          )
          return {
            host: perl(given.program, given.arch, String(given.pid)),
            memory: attempt(() => fs.openSync(`/proc/${given.pid}/mem`, 'r')),
            signal: attempt(() => process.kill(given.pid, 0)),
            own: own?.stdout === 'ok',
          }
        },
        { program: readFileSync(program, 'utf8'), arch: process.arch, pid: canary.pid },
      )
      const code = await canary.end()
      ended = true
      if (code !== 0) return broken(`a process of the host ended with ${code} after a signal from the cell`)
      if (result.host === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
      if (!result.own) return broken('the same calls did not work on a process of the cell either, so the probe is inconclusive')
      const tried: Record<string, string> = { 'process.kill': result.signal, '/proc/PID/mem': result.memory.replace('ENOENT', 'ESRCH') }
      for (const line of result.host.stdout.trim().split('\n')) {
        const [name = '', answer = ''] = line.split(':')
        tried[name] = names[answer] ?? answer
      }
      if (Object.keys(tried).length < 10)
        return broken(`only ${Object.keys(tried).join(', ')} were tried: ${result.host.stderr.slice(0, 200)}`)
      // The filter refuses ptrace and process_vm_readv for every target.
      const { ptrace = '', process_vm_readv = '', ...rest } = tried
      const finding = unlessAll({ ptrace, process_vm_readv }, ['ESRCH', 'EPERM']) ?? unlessAll(rest, ['ESRCH'])
      return finding ?? held(`${Object.keys(tried).join(', ')} on a process of the host: ${countOutcomes(tried)}; it was still running`)
    } finally {
      if (!ended) await canary.end()
    }
  },
}
