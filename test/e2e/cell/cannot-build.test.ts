import { arch } from 'node:process'
import { describe, expect, test } from 'vitest'
import {
  type BadPlace,
  chroot,
  filtered,
  inBadPlace,
  maskedProc,
  noUserNamespaces,
  noUserNamespacesOfRoot,
  withoutTun,
} from '../../support/bad-places.ts'
import { both, makeStage, needsRoot, type Stage, type Who } from '../../support/cli.ts'

interface Case {
  readonly name: string
  readonly who: readonly Who[]
  readonly place: (stage: Stage) => BadPlace
  /** The sentence about the cause, and the hint. */
  readonly why: string
  readonly hint: string
}

const everyone: readonly Who[] = ['root', 'user']
const cases: readonly Case[] = [
  {
    name: 'a setting that forbids user namespaces',
    who: ['root'],
    place: () => noUserNamespacesOfRoot,
    why: 'user namespaces are forbidden by user.max_user_namespaces=0',
    hint: 'Run: sysctl -w user.max_user_namespaces=15000',
  },
  {
    name: 'a limit of user namespaces that is reached',
    who: ['user'],
    place: () => noUserNamespaces,
    why: 'the limit of namespaces is reached',
    hint: 'End cells and containers that are not needed, and try again',
  },
  {
    name: 'a masked /proc',
    who: everyone,
    place: () => maskedProc,
    why: 'parts of /proc are masked here, so a cell cannot have its own',
    hint: 'umount /proc/irq',
  },
  {
    name: 'a chroot',
    who: everyone,
    place: chroot,
    why: 'the kernel forbids user namespaces in a chroot',
    hint: 'Enter the directory with pivot_root instead of chroot, as systemd-nspawn --directory does',
  },
  ...(arch === 'x64'
    ? [
        {
          name: 'a system call filter',
          who: everyone,
          place: filtered,
          why: 'a system call filter (seccomp) of the service or container around Paddock forbids namespaces',
          hint: 'In the unit of the service that starts Paddock, set RestrictNamespaces=no and remove SystemCallFilter=',
        },
      ]
    : []),
]

describe('the cause of a cell that cannot be built is named', () => {
  needsRoot('makes namespaces, masks and filters')

  describe.each(cases.filter(({ who }) => who.some((each) => both.includes(each))))('$name', ({ who, place, why, hint }) => {
    const all = who
      .filter((each) => both.includes(each))
      .flatMap((each) => (['allowlist', 'off'] as const).map((egress) => [each, egress] as const))

    test.each(all)('paddock run as %s with --egress %s', async (as, egress) => {
      using stage = makeStage(as)
      const allowed = egress === 'allowlist' ? ['--allow', 'a.invalid'] : []
      const ran = await inBadPlace(stage, place(stage), ['run', '--quiet', '--egress', egress, ...allowed, '--', 'true'])
      const [sentence, fix, ...rest] = ran.stderr.trim().split('\n')
      expect(sentence).toContain(`paddock: CELL_FAILED: The cell could not be built: ${why} (`)
      expect(fix).toMatch(/^ {2}hint: /)
      expect(fix).toContain(hint)
      expect([rest, ran.code]).toEqual([[], 125])
    })

    test.each(who.filter((each) => both.includes(each)))('paddock doctor as %s', async (as) => {
      using stage = makeStage(as)
      const ran = await inBadPlace(stage, place(stage), ['doctor'])
      expect(ran.stdout).toMatch(/^no {2}cell /m)
      expect(ran.stdout).toContain(why)
      expect(ran.stdout).toContain(hint)
      expect(ran.code).toBe(1)
    })
  })

  test.each(both)('a machine without /dev/net/tun is named with --egress public, as %s', async (who) => {
    using stage = makeStage(who)
    const ran = await inBadPlace(stage, withoutTun, ['run', '--quiet', '--egress', 'public', '--', 'true'])
    expect(ran.stderr).toMatch(
      /^paddock: UNENFORCEABLE: --egress public needs \/dev\/net\/tun, which is not there\.\n {2}hint: .*modprobe tun\. In a container/,
    )
    expect(ran.code).toBe(125)
    expect((await inBadPlace(stage, withoutTun, ['run', '--quiet', '--', 'true'])).code).toBe(0)
  })
})
