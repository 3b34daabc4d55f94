import { readdirSync, readFileSync } from 'node:fs'
import { broken, type Guarantee, held } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'

export const noPrivileges: Guarantee = {
  id: 'no-privileges',
  chapter: 'kernel',
  claim: 'The agent has no capability, cannot gain one, and is never root on the host, even if Paddock runs as root.',
  mechanism:
    'bwrap --cap-drop ALL and no_new_privs in a user namespace. If Paddock runs as root, the processes that build a cell switch to an unprivileged uid that no other process on the host has.',
  kind: 'structural',
  why: "Even outside every namespace the process would be an ordinary user that owns nothing. As uid 0 without capabilities it could still write /proc/sys and read root's files.",
  fails: ['Kernels before 5.12 have no idmapped mounts. Cells started by root do not start there.'],
  probe: async (bench) => {
    const { result } = await bench.inside(async ({ fs, sh }) => {
      const status = fs.readFileSync('/proc/self/status', 'utf8')
      const field = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
      const caps = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(field)
      const setuid = sh(
        'for each in /usr/bin/su /bin/su /usr/bin/sudo /usr/bin/passwd /usr/bin/mount; do [ -u "$each" ] && echo "$each"; done; su -c id root </dev/null 2>&1; echo; id -u',
      )
      return {
        caps,
        noNewPrivs: field('NoNewPrivs'),
        seccomp: field('Seccomp'),
        uidMap: fs.readFileSync('/proc/self/uid_map', 'utf8').trim(),
        setuid: setuid?.stdout ?? '',
      }
    }, null)
    const held_ = result.caps.filter((each) => !/^0+$/.test(each))
    if (held_.length > 0) return broken(`the agent has capabilities: ${result.caps.join(' ')}`)
    if (result.noNewPrivs !== '1') return broken('no_new_privs is not set: a set-user-ID program could grant privileges')
    if (result.seccomp !== '2') return broken('no system call filter is active')
    if (/uid=0/.test(result.setuid)) return broken('a set-user-ID program made the agent root')
    const seen = await hostUid(bench)
    if (seen === 0) return broken("on the host, the agent's process belongs to root")
    return held(
      `capability sets ${[...new Set(result.caps)].join(', ')}, no_new_privs, an active filter; on the host the process belongs to uid ${seen}`,
    )
  },
}

/** Returns the uid on the host of a process of a cell, which is found by a word in its arguments. */
async function hostUid(bench: ProbeBench): Promise<number> {
  const word = bench.secret()
  const cell = await bench.start(['sh', '-c', 'echo up; read -r _', word], {}, { stdin: 'pipe' })
  try {
    await new Promise((resolve) => cell.stdout.once('data', resolve))
    const uids = readdirSync('/proc')
      .filter((each) => /^\d+$/.test(each))
      .flatMap((pid) => {
        try {
          // The programs that build the cell also have the word in their arguments. The command line of the agent starts with sh.
          if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('sh\0-c\0echo up')) return []
          if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(word)) return []
          return [Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])]
        } catch {
          return []
        }
      })
    if (uids.length === 0) throw new Error('the process of the cell was not found on the host')
    return Math.min(...uids)
  } finally {
    cell.stdin?.end('\n')
    cell.stdout.resume()
    cell.stderr.resume()
    await cell.done
  }
}
