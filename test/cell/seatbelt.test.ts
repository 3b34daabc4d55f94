import { spawnSync } from 'node:child_process'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seatbelt } from '../../src/cell/backends/seatbelt/backend.ts'
import { profileRules, seatbeltProfile, systemTrees } from '../../src/cell/backends/seatbelt/profile.ts'
import { sbplString } from '../../src/cell/backends/seatbelt/sbpl.ts'
import { refuseUnenforceable, seatbeltCommand, seatbeltLimits } from '../../src/cell/backends/seatbelt/seatbelt-arguments.ts'
import { layOut } from '../../src/cell/backends/seatbelt/seatbelt-layout.ts'
import { contains, type FsEntry, targetOf } from '../../src/cell/plan/filesystem.ts'
import type { MachineFacts, ProjectFacts } from '../../src/cell/plan/machine-facts.ts'
import { type CellPlan, plan } from '../../src/cell/plan/plan.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import { machine, spec, tree } from './machine.ts'
import { decide, parseProfile } from './seatbelt-reader.ts'

const run = '/home/ada/.local/state/paddock/run/0123456789ab'
const own = '/home/ada/.local/state/paddock/homes/project/command'
const asItIs = (file: string): string => file
const planned = (over: Partial<CellSpec> = {}, facts: Partial<ProjectFacts> = {}, here: Partial<MachineFacts> = {}): CellPlan =>
  plan(spec(over), machine(here), [tree(facts)])
const profileOf = (made: CellPlan, port: number | null = null): string => seatbeltProfile(layOut(made, run, asItIs), port)

/** Returns the access to a path according to the plan itself: that of the topmost entry there. */
function wanted(made: CellPlan, file: string): 'none' | 'ro' | 'rw' {
  const on = (entry: FsEntry): boolean => contains(targetOf(entry), file)
  if (contains(`${run}/own`, file)) return 'rw'
  if (contains(own, file)) return 'rw'
  if (contains(`${run}/files`, file)) return 'ro'
  const top = made.filesystem.findLast(
    (entry) => on(entry) && !['symlink', 'proc', 'dev'].includes(entry.kind) && !(entry.kind === 'file' && contains('/etc', entry.target)),
  )
  switch (top?.kind) {
    case 'system':
    case 'copy':
    case 'inert':
      return 'ro'
    case 'bind':
      return top.reason === 'home' ? 'none' : top.access
    default:
      return systemTrees.some((each) => contains(each, file)) ? 'ro' : 'none'
  }
}

describe('text in a profile', () => {
  test('comes back as it was, whatever characters it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        let written: string
        try {
          written = sbplString(text)
        } catch {
          return expect(/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed()).toBe(true)
        }
        expect(parseProfile(`(version 1) (allow file-read* (literal ${written}))`)).toMatchObject([{ filters: [['literal', text]] }])
      }),
    )
  })

  test.each(['a"b', 'a\\', 'a\\"b', '")(allow default)("', '#"x"', 'a;b', 'a(b)', '^.*$[x]+?{1}|', "a'b", '\\n', 'ü 日本', 'a b'])(
    '%j stays one path',
    (name) => {
      const project = `/home/ada/${name}`
      const made = planned({ project, cwd: project }, { path: project, present: [`${project}/.envrc`] })
      const rules = parseProfile(profileOf(made))
      expect(decide(rules, 'file-write-data', `${project}/file`)).toBe(true)
      expect(decide(rules, 'file-write-data', `${project}/.envrc`)).toBe(false)
      expect(decide(rules, 'file-read-data', '/home/ada/other')).toBe(false)
      expect(decide(rules, 'file-read-data', '/anything')).toBe(false)
      expect(decide(rules, 'network-outbound', null)).toBe(false)
    },
  )

  test.each(['a\nb', 'a\rb', 'a\0b', 'a\tb', 'a\u007fb', 'a\u001bb', 'a\ud800b'])('%j is refused', (name) => {
    const project = `/home/ada/${name}`
    expect(() => profileOf(planned({ project, cwd: project }, { path: project }))).toThrow(
      expect.objectContaining({ code: 'UNENFORCEABLE' }),
    )
  })
})

describe('a profile', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'c', '.git', 'hooks', '.envrc'), fc.constantFrom('"', '\\', '(', '[a]*', 'x y', 'é'))
  const below = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const wishes = fc.record({
    ro: fc.array(
      below.map((each) => `/data/${each}`),
      { maxLength: 5 },
    ),
    rw: fc.array(
      below.map((each) => `/data/${each}`),
      { maxLength: 3 },
    ),
    present: fc.array(below, { maxLength: 5 }),
    absent: fc.array(below, { maxLength: 4 }),
    guards: fc.array(below, { maxLength: 4 }),
    sockets: fc.array(below, { maxLength: 2 }),
    temporary: fc.boolean(),
  })

  test('decides about every path as the plan does', () => {
    fc.assert(
      fc.property(wishes, fc.array(below, { minLength: 1, maxLength: 10 }), (wish, asked) => {
        const project = '/home/ada/project'
        const at = (each: string): string => `${project}/${each}`
        const made = planned(
          {
            mounts: [
              ...wish.ro.map((source) => ({ source, access: 'ro' as const })),
              ...wish.rw.map((source) => ({ source, access: 'rw' as const })),
            ],
            ...(wish.temporary ? { home: { kind: 'temporary' as const } } : {}),
          },
          {
            present: wish.present.map(at),
            absent: wish.absent.map((each) => ({ path: at(each), kind: 'file' as const, inert: '' })),
            guards: wish.guards.map(at),
            sockets: wish.sockets.map(at),
          },
        )
        const rules = parseProfile(profileOf(made))
        const roots = [
          '/data',
          project,
          '/home/ada',
          '/home/ada/.nvm',
          '/usr',
          '/tmp',
          '/etc',
          '/System/Library',
          '/',
          `${run}/own/0`,
          `${run}/files`,
          run,
        ]
        const paths = [
          ...roots.flatMap((root) => [root, ...asked.map((each) => path.join(root, each))]),
          ...made.filesystem.flatMap((each) => [
            targetOf(each),
            path.join(targetOf(each), 'below'),
            `${targetOf(each)}x`,
            path.dirname(targetOf(each)),
          ]),
        ].filter((each) => each !== '/')
        if (!wish.temporary) paths.push(own, `${own}/below`)
        for (const file of paths) {
          const says = wish.temporary && contains(own, file) ? 'none' : wanted(made, file)
          expect([file, decide(rules, 'file-read-data', file)]).toEqual([file, says !== 'none'])
          expect([file, decide(rules, 'process-exec', file)]).toEqual([file, says !== 'none'])
          expect([file, decide(rules, 'file-write-data', file)]).toEqual([file, says === 'rw'])
          expect([file, decide(rules, 'file-write-create', file)]).toEqual([file, says === 'rw'])
        }
      }),
      { numRuns: 150 },
    )
  })

  test('lets nothing be renamed away that protects something, and nothing be linked around', () => {
    const rules = parseProfile(profileOf(planned({}, { guards: ['/home/ada/project/.git'], present: ['/home/ada/project/.git/hooks'] })))
    for (const each of ['/home/ada/project', '/home/ada/project/.git', '/home/ada/project/.git/hooks', own, `${run}/own/0`])
      expect([each, decide(rules, 'file-write-unlink', each)]).toEqual([each, false])
    expect(decide(rules, 'file-write-unlink', '/home/ada/project/file')).toBe(true)
    for (const operation of ['file-link', 'file-write-setugid']) expect(decide(rules, operation, '/home/ada/project/file')).toBe(false)
  })

  test('lets the directories above what is visible be looked at, and not be listed', () => {
    const rules = parseProfile(profileOf(planned()))
    for (const each of ['/home/ada', '/home']) {
      expect(decide(rules, 'file-read-metadata', each)).toBe(true)
      expect(decide(rules, 'file-read-data', each)).toBe(false)
    }
    expect(decide(rules, 'file-read-metadata', '/home/ada/.ssh')).toBe(false)
  })

  test('has one way out, and none without a gateway', () => {
    for (const port of [null, 4242]) {
      const text = profileOf(planned(port === null ? {} : { egress: { mode: 'allowlist', entries: [] } }), port)
      expect(text.match(/network[a-z*-]*/g)).toEqual(port === null ? ['network*'] : ['network*', 'network-outbound'])
      expect(text.includes('(allow network-outbound (remote tcp "localhost:4242"))')).toBe(port === 4242)
    }
  })

  test('allows these operations and no other, and no path by a regular expression', () => {
    const allowed = profileRules(layOut(planned(), run, asItIs), 4242).filter((each) => each.action === 'allow')
    expect([...new Set(allowed.flatMap((each) => each.operations))].sort()).toEqual([
      'file-map-executable',
      'file-read*',
      'file-read-metadata',
      'file-write*',
      'file-write-data',
      'mach-lookup',
      'network-outbound',
      'process-exec*',
      'process-fork',
      'process-info*',
      'signal',
      'sysctl-read',
    ])
    expect(allowed.filter((each) => each.filters.length === 0).map((each) => each.operations)).toEqual([['process-fork']])
    const text = profileOf(planned(), 4242)
    expect(text.startsWith('(version 1)\n(deny default)\n')).toBe(true)
    expect(text).not.toMatch(/regex|iokit|allow default|mach-register/)
  })

  test('is for paths without links', () => {
    const real = (file: string): string => file.replace(/^\/(tmp|etc|var)(?=\/|$)/, '/private/$1')
    const made = planned({ project: '/tmp/project', cwd: '/tmp/project' }, { path: '/tmp/project', present: ['/tmp/project/.envrc'] })
    const rules = parseProfile(seatbeltProfile(layOut(made, run, real), null))
    expect(decide(rules, 'file-write-data', '/private/tmp/project/file')).toBe(true)
    expect(decide(rules, 'file-write-data', '/private/tmp/project/.envrc')).toBe(false)
    expect(decide(rules, 'file-read-data', '/private/tmp/other')).toBe(false)
  })
})

describe('limits that macOS cannot enforce are refused', () => {
  test.each([
    ['another place', { mounts: [{ source: '/data/a', target: '/data/b', access: 'ro' as const }] }],
    ['a file of the cell’s own among others', { files: [{ target: '/data/file', content: 'x' }] }],
    ['a copy of the project', { projectCopy: '/home/ada/.local/state/paddock/copies/x/tree' }],
  ])('%s', (_, over) => {
    const facts = 'projectCopy' in over ? { path: over.projectCopy as string } : {}
    const here = 'projectCopy' in over ? { ownMountable: ['/home/ada/.local/state/paddock/copies'] } : {}
    expect(() => layOut(planned(over, facts, here), run, asItIs)).toThrow(expect.objectContaining({ code: 'UNENFORCEABLE' }))
  })

  test.each([
    ['public egress', { egress: { mode: 'public' as const, entries: [], blocked: [] } }],
    ['open egress', { egress: { mode: 'open' as const, entries: [] } }],
    ['a terminal', { terminal: true }],
    ['published ports', { publish: [80] }],
    ['a memory limit', { limits: { memory: 1e9 } }],
    ['a limit of processes', { limits: { pids: 10 } }],
  ])('%s', (_, over) => {
    expect(() => refuseUnenforceable(planned(over))).toThrow(expect.objectContaining({ code: 'UNENFORCEABLE' }))
  })

  test('anything that was not requested is reported as missing', () => {
    const made = planned()
    expect(() => refuseUnenforceable(made)).not.toThrow()
    const limits = new Map(seatbeltLimits(made).map((each) => [each.limit, each]))
    expect(limits.get('memory')).toMatchObject({ mechanism: 'none', gap: expect.any(String) })
    expect(limits.get('fileSize')).toMatchObject({ mechanism: 'rlimit' })
  })

  test('it does not start elsewhere', async ({ skip }) => {
    skip(process.platform === 'darwin', 'this is a Mac: it starts here')
    await expect(seatbelt().start({ plan: planned() } as never)).rejects.toMatchObject({ code: 'UNENFORCEABLE' })
  })
})

describe('the command', () => {
  const made = planned({
    egress: { mode: 'allowlist', entries: [] },
    command: ['/home/ada/.nvm/bin/agent', '--config=/home/ada/.agent/config', '/home/ada/project/file', 'text /home/ada', '-x'],
    env: { CONFIG_DIR: '/home/ada/.agent', WORD: "it's", LIST: '/home/ada/bin:/usr/bin' },
    homeFiles: [{ path: ".agent/it's", content: 'x', overwrite: true }],
  })
  const layout = layOut(made, run, asItIs)
  const { program, args, env, cwd } = seatbeltCommand(made, layout, { port: 4242, token: 'secret' })

  test('names places of the host where the plan names places of the cell', () => {
    expect(program).toBe('/usr/bin/sandbox-exec')
    expect(args[0]).toBe('-p')
    expect(args.slice(6)).toEqual([
      '/home/ada/.nvm/bin/agent',
      `--config=${own}/.agent/config`,
      '/home/ada/project/file',
      'text /home/ada',
      '-x',
    ])
    expect(env).toMatchObject({ HOME: own, CONFIG_DIR: `${own}/.agent`, WORD: "it's", LIST: `${own}/bin:/usr/bin` })
    expect(env['TMPDIR']).toMatch(new RegExp(`^${run}/own/\\d$`))
    expect(env['PATH']?.split(':')).toContain('/home/ada/.nvm/bin')
    expect(env['GIT_CONFIG_SYSTEM']).toBe(`${run}/files/etc/gitconfig`)
    expect(layout.files.find((each) => each.path.endsWith('/etc/gitconfig'))?.content).toContain(
      `excludesFile = ${run}/files/etc/paddock/gitignore`,
    )
    expect(cwd).toBe('/home/ada/project')
  })

  test('leads every proxy variable to the gateway with the token', () => {
    for (const each of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'])
      expect(env[each]).toBe('http://cell:secret@127.0.0.1:4242')
    expect(seatbeltCommand(planned(), layOut(planned(), run, asItIs), null).env).not.toHaveProperty('HTTP_PROXY')
  })

  test('copies the files of the home with a script that a shell understands', () => {
    const script = args[4] ?? ''
    expect(script).toContain(`cp '${run}/files/etc/paddock/home/0' '${own}/.agent/it'\\''s'`)
    expect(spawnSync('sh', ['-n', '-c', script]).status).toBe(0)
  })
})
