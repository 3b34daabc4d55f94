import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdProcess } from '../probe/held-cell.ts'

const make = new URL('./key-rings-make.pl', import.meta.url)
const look = new URL('./key-rings-look.pl', import.meta.url)

export const keyRingsClosed: Guarantee = {
  id: 'key-rings-closed',
  chapter: 'processes',
  claim: "A cell can neither use the kernel's key rings nor see which keys you have in them.",
  mechanism:
    'The seccomp filter refuses add_key, request_key and keyctl (ENOSYS), and empty files cover /proc/keys and /proc/key-users, which list keys by user.',
  kind: 'policy',
  why: 'Key rings belong to a user or a login, not to a mount or PID namespace. Without these calls there is no other way to a key.',
  fails: [
    "With --nested-sandbox /proc is not covered, and an ordinary user's cell sees the names of that user's keys.",
    'Programs that need key rings have to work without them in a cell.',
  ],
  probe: async (bench) => {
    const name = bench.secret()
    const host = await holdProcess('perl', ['-e', readFileSync(make, 'utf8'), process.arch, name]).catch(() => null)
    try {
      const { result } = await bench.inside(
        ({ perl, fs, attempt }, given) => {
          let listed = ''
          const there = ['/proc/keys', '/proc/key-users'].filter((each) => fs.existsSync(each))
          const mounts = fs.readFileSync('/proc/self/mountinfo', 'utf8')
          for (const each of there)
            attempt(() => {
              listed += fs.readFileSync(each, 'utf8')
            })
          return {
            calls: perl(given.look, given.arch, given.name, given.key),
            listed,
            bare: there.filter((each) => !mounts.includes(` ${each} `)),
          }
        },
        { look: readFileSync(look, 'utf8'), arch: process.arch, name, key: host?.line ?? '0' },
      )
      if (result.calls === null) return unenforceable('the cell has no Perl, so bare system calls could not be tried')
      const calls = result.calls.stdout.trim().split('\n')
      if (calls.length !== 5) return broken(`the probe made ${calls.length} of 5 calls: ${result.calls.stderr.slice(0, 200)}`)
      const passed = calls.filter((each) => !each.endsWith(':38'))
      if (passed.length > 0) return broken(`the kernel accepted ${passed.join(', ')}`)
      if (result.listed !== '')
        return broken(`${result.listed.includes(name) ? 'a key of yours is listed, by its name,' : 'keys are listed'} in /proc of the cell`)
      // If root runs cells, their users have no keys to show. Even then the files must not be the kernel's.
      if (result.bare.length > 0) return broken(`not covered: ${result.bare.join(', ')}`)
      return held(
        `request, read, session, user, add: ENOSYS; ${host === null ? 'no key could be made on this host' : 'a key of the host is not listed, /proc/keys and key-users are empty'}`,
      )
    } finally {
      await host?.end()
    }
  },
}
