import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../../guarantee.ts'
import { countOutcomes } from '../../probe/outcomes.ts'

const program = new URL('./set-id-files-not-made.pl', import.meta.url)

export const setIdFilesNotMade: Guarantee = {
  id: 'set-id-files-not-made',
  chapter: 'files',
  claim:
    'A cell cannot leave a set-user-ID or set-group-ID file on the host, nor a file with an extended attribute or access list that it made.',
  mechanism:
    'The seccomp filter refuses every call that takes a mode (chmod, open with O_CREAT, mknod and similar) if the mode contains the set-user-ID bit. A chmod with only the set-group-ID bit is given to the init of the cell (seccomp_unotify(2)), which repeats it without the bit, under the same filters; the kernel lets no other process listen while it does. Extended attributes and access lists cannot be set (EOPNOTSUPP), and files seem to have none. The kernel ignores both bits in mkdir.',
  kind: 'policy',
  why: "Files in the project belong to its owner. With the bit, anyone on the host could run the agent's program with the owner's privileges (execve(2)).",
  fails: [
    'A new system call that takes a mode and is not in the filter yet.',
    'Calls that take a mode from memory: the only one, openat2, is refused entirely, unless --nested-sandbox permits it.',
    'With --nested-sandbox, a cell can make an empty file with the bit. It loses the bit with its first content, or when the cell ends.',
    'A new directory inherits the set-group-ID bit and the default access list of the one around it.',
    'With --nested-sandbox, a chmod with the set-group-ID bit succeeds and changes no bit.',
  ],
  probe: async (bench) => {
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ perl, sh, fs, attempt }, given) => ({
        calls: perl(given.program, given.arch),
        programs: [
          sh('cp /bin/true by-chmod && chmod u+s by-chmod')?.code,
          sh('install -m 4755 /bin/true by-install')?.code,
          sh('mkdir -m 2755 by-mkdir')?.code,
        ],
        control: attempt(() => {
          fs.writeFileSync('control', '')
          fs.chmodSync('control', 0o1751)
        }),
      }),
      { program: readFileSync(program, 'utf8'), arch: process.arch === 'arm64' ? 'arm64' : 'x64' },
      { project },
    )
    const left = readdirSync(project).filter((each) => (statSync(path.join(project, each)).mode & 0o6000) !== 0)
    if (left.length > 0) return broken(`on the host now: ${left.join(', ')}`)
    if ((statSync(path.join(project, 'control')).mode & 0o7777) !== 0o1751)
      return broken(`an ordinary chmod did not work, so the probe is inconclusive: ${result.control}`)
    if (result.calls === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
    const calls = Object.fromEntries(
      result.calls.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    const made = Object.entries(calls).filter(([, outcome]) => outcome === 'ok')
    if (made.length > 0) return broken(`the kernel accepted ${made.map(([name]) => name).join(', ')}`)
    if (Object.keys(calls).length < 15)
      return broken(`only ${Object.keys(calls).length} calls were tried: ${result.calls.stderr.slice(0, 200)}`)
    const refused = countOutcomes(calls).replaceAll('× 1,', '× EPERM,').replace(/× 1$/, '× EPERM')
    return held(`${Object.keys(calls).length} system calls and chmod, install, mkdir: ${refused}; no such file or attribute on the host`)
  },
}
