import { readdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type * as Arguments from '../../src/cell/backends/bubblewrap/bubblewrap-arguments.ts'
import type * as Environment from '../../src/cell/plan/environment.ts'
import type * as Filesystem from '../../src/cell/plan/filesystem.ts'
import type * as Resolver from '../../src/egress/dns/resolver.ts'
import type * as Allowlist from '../../src/egress/policy/allowlist.ts'
import { judge } from '../../src/redteam/canary.ts'
import { Gathering } from '../../src/redteam/gathering.ts'
import { setVictim } from '../../src/redteam/victim.ts'
import { movedIn, runRedteam } from './redteam-run.ts'
import { replace, restore } from './sabotages/sabotage.ts'

const everywhere = ['host-address'].filter(() => Object.values(networkInterfaces()).some((each) => each?.some(({ internal }) => !internal)))
const withArguments = (change: (args: readonly string[]) => readonly string[]): void =>
  replace<typeof Arguments>('cell/backends/bubblewrap/bubblewrap-arguments.ts', ({ bubblewrapArguments }) => ({
    bubblewrapArguments: (...given) => change(bubblewrapArguments(...given)),
  }))
const alsoBound = (source: (project: string) => string, access: 'ro' | 'rw'): void =>
  replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
    planFilesystem: (spec, ...rest) =>
      planFilesystem(spec, ...rest).flatMap((each) => {
        if (each.kind !== 'bind' || each.target !== spec.project) return [each]
        const outer = source(spec.project)
        return [{ kind: 'bind', source: outer, target: outer, access, reason: 'user' } as const, each]
      }),
  }))

describe('an attacker that tries everything', () => {
  test.each(['allowlist', 'off'] as const)('moves nothing under egress %s', async (mode) => {
    const before = readdirSync('/tmp').filter((each) => each.startsWith('paddock-redteam-'))
    const report = await runRedteam({ egress: mode === 'off' ? { mode } : { mode, entries: [] } })
    expect(report.cell.ending).toEqual({ kind: 'exited', code: 0 })
    expect(movedIn(report)).toEqual([])
    expect(report.moved).toBe(false)
    expect(report.canaries.length).toBeGreaterThan(17)
    expect(report.unset.map((each) => each.id)).not.toContain('sibling')
    expect(report.said.tried.length).toBe(50)
    expect(report.said.last.join()).toMatch(/tried \d+ things/)
    expect(report.searched).toMatchObject({ whole: true })
    expect(readdirSync('/tmp').filter((each) => each.startsWith('paddock-redteam-'))).toEqual(before)
  })

  test('a claim without the right word counts for nothing', async () => {
    const report = await runRedteam({
      script: `const fs = require('node:fs')
        const ids = JSON.parse(fs.readFileSync('canaries.json', 'utf8')).map((each) => each.id)
        fs.writeFileSync('out/proof.json', JSON.stringify({ found: Object.fromEntries(ids.map((id) => [id, 'canary' + '0'.repeat(32)])), tried: 'all\\u001b[2J\\nof it' }))`,
    })
    expect(movedIn(report)).toEqual([])
    expect(report.said.tried).toEqual(['all\u001b[2J', 'of it'])
  })

  test.each([
    [
      'a word that only its proof has, with escapes',
      'JSON',
      `'{"found":"' + [...word].map((c) => '\\\\u00' + c.charCodeAt(0).toString(16)).join('') + '"}'`,
      'what it claims',
    ],
    ['a word in base64 in a file of its home', 'file', `Buffer.from('x' + word).toString('base64')`, 'home/kept'],
  ])('%s counts', async (_name, where, written, place) => {
    // The user passes it to the cell as a named variable, so the cell gets it without an act that the host could see.
    const report = await runRedteam({
      script: `const word = 'canary' + 'ab'.repeat(16)
        const file = ${JSON.stringify(where)} === 'JSON' ? 'out/proof.json' : process.env.HOME + '/kept'
        require('node:fs').writeFileSync(file, ${written})`,
    })
    expect(movedIn(report)).toEqual(['host-environment'])
    expect(report.canaries.find((each) => each.moved)?.evidence).toContain(place)
  })

  test('a word in its output counts', async () => {
    const report = await runRedteam({
      script: `process.stdout.write('canary' + 'ab'.repeat(8)); setTimeout(() => process.stdout.write('ab'.repeat(8)), 100)`,
    })
    expect(movedIn(report)).toEqual(['host-environment'])
  })
})

describe('the right canaries move', () => {
  afterEach(restore)

  const sabotages: readonly { without: string; moves: readonly string[]; egress?: 'off'; break: () => void }[] = [
    {
      without: 'the allowlist of mounts: the directory around the project, readable',
      moves: ['file-beside', 'other-project', 'ssh-key', 'unix-socket'],
      break: () => alsoBound((project) => path.dirname(project), 'ro'),
    },
    {
      without: 'the separation of Paddock’s own state',
      moves: ['audit-log', 'file-beside', 'other-project', 'paddock-state', 'ssh-key', 'unix-socket'],
      break: () => alsoBound((project) => path.resolve(project, '../../..'), 'rw'),
    },
    {
      without: 'a home of its own',
      moves: ['ssh-key'],
      break: () =>
        replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
          planFilesystem: (spec, ...rest) =>
            planFilesystem(spec, ...rest).map((each) =>
              each.kind === 'bind' && each.reason === 'home' ? { ...each, source: path.join(path.dirname(each.source), 'home') } : each,
            ),
        })),
    },
    {
      without: 'a network namespace',
      moves: ['abstract-socket', 'host-loopback', 'sibling-port', ...everywhere].sort(),
      egress: 'off',
      break: () => withArguments((args) => args.filter((each) => each !== '--unshare-net')),
    },
    {
      without: 'the allowlist of variables',
      moves: ['host-environment'],
      break: () =>
        replace<typeof Environment>('cell/plan/environment.ts', ({ planEnvironment }) => ({
          planEnvironment: (spec, machine, ...rest) => ({ ...machine.env, ...planEnvironment(spec, machine, ...rest) }),
        })),
    },
    {
      without: 'read-only files that run later',
      moves: ['run-later-absent', 'run-later-present'],
      break: () =>
        replace<typeof Filesystem>('cell/plan/filesystem.ts', ({ planFilesystem }) => ({
          planFilesystem: (...given) =>
            planFilesystem(...given).filter((each) => {
              if (each.kind === 'copy') return false
              // New submodules get a view over this entry.
              if (each.kind === 'inert') return path.basename(each.target) === 'modules'
              return each.kind !== 'bind' || each.reason !== 'run-later'
            }),
        })),
    },
    {
      without: 'the classes of addresses',
      moves: ['host-loopback', 'internal-address'],
      break: () =>
        replace<typeof Resolver>('egress/dns/resolver.ts', () => ({ dialable: (addresses) => ({ allowed: addresses, refused: [] }) })),
    },
    {
      without: 'the allowlist of names',
      moves: ['denied-name'],
      break: () =>
        replace<typeof Allowlist>('egress/policy/allowlist.ts', ({ Allowlist: Real }) => ({
          Allowlist: class extends Real {
            override knows(): boolean {
              return true
            }
            override listeners(addressOf: (name: string) => string | null): ReturnType<InstanceType<typeof Real>['listeners']> {
              return super.listeners(addressOf).map((each) => ({ ...each, address: '0.0.0.0' }))
            }
            override find(name: string, port: number): ReturnType<InstanceType<typeof Real>['find']> {
              return super.find(name, port) ?? { host: name, ports: [port], internal: false, source: 'user' }
            }
          },
        })),
    },
  ]
  test.each(sabotages)('without $without', async ({ moves, egress, ...sabotage }) => {
    restore()
    sabotage.break()
    const report = await runRedteam(egress === undefined ? {} : { egress: { mode: egress } })
    const { cell, said, searched } = report
    expect(movedIn(report), JSON.stringify({ cell, said, searched, moved: report.canaries.filter((each) => each.moved) })).toEqual(moves)
  })

  test('without a process namespace', async () => {
    restore()
    withArguments((args) => args.filter((each) => !['--unshare-pid', '--as-pid-1'].includes(each)))
    const moved = movedIn(await runRedteam({ egress: { mode: 'off' } }))
    // The cell of an ordinary user runs under that user's uid, so its signals arrive as well.
    expect(moved.filter((each) => each !== 'host-process')).toEqual(['host-arguments', 'sibling-process'])
  })
})

describe('a process of the host', () => {
  test.each(['SIGUSR2', 'SIGKILL'] as const)('moves with %s', async (signal) => {
    const set = new Gathering()
    await setVictim(set, { name: 'NAME', value: 'value' })
    const pid = Number(set.canaries[0]?.place['pid'])
    const moved = (): unknown => judge(set.canaries, new Map(), null).flatMap((each) => (each.moved ? [each.id] : []))
    expect(moved()).toEqual([])
    process.kill(pid, signal)
    await vi.waitUntil(() => (moved() as string[]).length > 0, { timeout: 20_000 })
    expect(moved()).toEqual(['host-process'])
    await set.end()
  })
})
