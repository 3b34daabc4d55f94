import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { guestImages } from '../support/guest/guest-images.ts'
import { runInGuest } from '../support/guest/run-in-guest.ts'

/** What the guest did with one case of apparmor-cases.sh. */
interface Case {
  readonly code: number
  readonly output: string
}
const cases = new Map<string, Case>()
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const isPossible = process.getuid?.() === 0 && process.arch === 'x64'

beforeAll(async () => {
  if (!isPossible) return
  const images = guestImages(['apparmor', 'bubblewrap', 'git', 'nftables', 'passt'])
  const output = await runInGuest(images, beside('apparmor-cases.sh'), {
    paddock: inject('copyForUsers'),
    profile: beside('../../packaging/apparmor'),
    rule: beside('apparmor-rule'),
  })
  for (const each of output.split(/^(?==== |guest: )/m)) {
    const [, name, code, text = ''] = /^=== (\S+) (\d+)\n(.*)/s.exec(each) ?? []
    if (name !== undefined) cases.set(name, { code: Number(code), output: text.trim() })
  }
  if (!output.includes('guest: done')) console.log(output)
}, 3_600_000)

function of(name: string): Case {
  const found = cases.get(name)
  if (found === undefined) throw new Error(`the guest did not get as far as ${name}`)
  return found
}
/** Returns what worked of the things that a stranger tried. */
const worked = (name: string): string[] => of(name).output.split('\n')

describe('in a guest where only programs with a profile create user namespaces', () => {
  beforeEach(({ skip }) => skip(!isPossible, 'needs root, and a processor that the guest has too (x64)'))

  it('no cell starts without the profile', () => {
    expect(of('without-profile')).toMatchObject({ code: 125, output: expect.stringContaining('unshare failed: Permission denied') })
  })

  it('install.sh loads the profiles', () => {
    expect([of('install'), of('loaded').output.split('\n')]).toEqual([
      { code: 0, output: '' },
      ['paddock-bwrap', 'paddock-cell', 'paddock-unshare'],
    ])
  })

  for (const user of ['user', 'root'])
    for (const how of ['off', 'allowlist', 'terminal'])
      it(`a cell of ${user} starts under the profile and creates no namespace or mount: ${how}`, () => {
        const { code, output } = of(`${user}-${how}`)
        expect([code, output]).toEqual([0, expect.stringContaining('paddock-bwrap//&paddock-cell (enforce)')])
        expect(output).toMatch(user === 'user' ? /\b1001$/m : /\b1000$/m)
        expect(output).toMatch(how === 'terminal' ? /^\/dev\//m : /^not a tty$/m)
        expect(output).not.toContain('works')
      })

  it.each(['user-public', 'free-public', 'root-public'])('pasta gives a cell the internet and no internal address: %s', (name) => {
    const { code, output } = of(name)
    expect([code, output]).toEqual([0, expect.stringMatching(/^hello from the internet\n10\.1\.2\.3: nothing$/m)])
  })

  it.each(['user-verify', 'root-verify'])('the guarantees that depend on namespaces, mounts and capabilities hold: %s', (name) => {
    const { code, output } = of(name)
    expect(output).not.toContain('✗')
    expect([code, output.match(/^✓ /gm)?.length]).toEqual([0, 12])
  })

  it('doctor names the copies, and a cell that it tries starts', () => {
    expect(of('doctor').output).toMatch(/^ok +bwrap +\/usr\/lib\/paddock\/bwrap: .*\nok +unshare +\/usr\/lib\/paddock\/unshare: /m)
    expect(of('doctor').output).toMatch(/^ok +cell .*\nok +egress off, allowlist .*\nok +egress public, open /m)
  })

  it('a nested sandbox is refused with the reason', () => {
    expect(of('nested')).toMatchObject({
      code: 125,
      output: expect.stringMatching(/UNENFORCEABLE: --nested-sandbox: AppArmor denies.*\n +hint: /),
    })
  })

  it('a stranger who starts the copies can build a cell, and gains nothing else', () => {
    for (const name of ['stranger', 'stranger-again']) expect(worked(name)).toEqual(['our bwrap from our unshare'])
  })

  it('what a stranger tries would work with a profile that permits more', () => {
    const inBwrap = ['mount', 'network device', 'chroot', 'namespace'].map((each) => `a ${each} in our bwrap`)
    expect(worked('stranger-weakened-cell')).toEqual(['our bwrap from our unshare', ...inBwrap])
    expect(worked('stranger-unconfined')).toEqual([
      'our bwrap without our unshare',
      'another program from our unshare',
      'a mount of our unshare',
      'our bwrap from our unshare',
      ...inBwrap,
      'a library of the stranger in our unshare',
      'a library of the stranger in our bwrap',
    ])
  })

  it('remove.sh unloads the profiles and removes the copies', () => {
    const gone = (file: string): string => `ls: cannot access '${file}': No such file or directory`
    expect([of('remove'), of('removed').output]).toEqual([
      { code: 0, output: '' },
      [gone('/usr/lib/paddock'), gone('/etc/apparmor.d/paddock')].join('\n'),
    ])
  })
})
