import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { evenJudge } from '../../support/contest-bench.ts'

/** Prints each path of a list that exists or can be read, and each file of the home with a canary. */
const look = `while read -r file; do { [ -e "$file" ] || head -c 1 "$file"; } >/dev/null 2>&1 && echo "seen $file"; done < "$1"
grep -rsl "canary-of-a-[c]ontest" "$HOME"
cat "$HOME/tools/marker"
`

describe.each(everyone)('the isolation level of a contest, as %s', (who) => {
  let stage: Stage
  let contest: string
  beforeEach(() => {
    stage = makeStage(who)
    contest = path.join(stage.home, 'work/trial')
    for (const each of ['spy', 'hidden', 'raw']) put(`work/trial/${each}/look.sh`, look)
    put('tools/marker', 'at L1\n')
    put('work/other/rounds/1/sealed/x/out', 'canary-of-a-contest')
    put('work/other/contest.yaml', 'canary-of-a-contest')
  })
  afterEach(() => stage[Symbol.dispose]())

  const put = (file: string, content: string): void => {
    const at = path.join(stage.home, file)
    mkdirSync(path.dirname(at), { recursive: true })
    writeFileSync(at, content)
  }
  const write = (config: object, directory = 'work/trial'): void => {
    put(`${directory}/BRIEF.md`, 'Look around.\n')
    put(`${directory}/JUDGE_BRIEF.md`, 'canary-of-a-contest\n')
    put(`${directory}/contest.yaml`, JSON.stringify({ schemaVersion: 1, name: 'trial', ...config }, null, 1))
    stage.own()
  }
  const participant = (name: string, more: object = {}): object => ({
    name,
    agent: 'command',
    command: ['sh', '-c', 'sh /agent/look.sh /agent/paths; echo canary-of-a-contest > /contest/out/work'],
    files: 'spy',
    ...more,
  })
  const judge = {
    name: 'jay',
    agent: 'command',
    command: ['sh', '-c', `sh /agent/look.sh /agent/paths; grep -e alpha -e beta /proc/self/mountinfo; ${evenJudge(5)}`],
    files: 'hidden',
  }
  const rubric = { dimensions: [{ id: 'quality', description: 'How good it is.' }] }
  const there = { name: 'there', command: 'sh /check/look.sh /check/paths; test -f work', files: 'hidden' }
  const everything = (directory: string): readonly string[] =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => !each.isSymbolicLink())
      .map((each) => path.join(each.parentPath, each.name))
  const outputs = (directory: string): Record<string, string> =>
    Object.fromEntries(
      everything(directory)
        .filter((each) => each.endsWith('/stdout.log'))
        .map((each) => [path.relative(directory, each), readFileSync(each, 'utf8')]),
    )

  it('at L1, nothing that a contest writes is in a cell of its participants, judges and checks', async () => {
    put('work/trial/raw/right', 'canary-of-a-contest')
    write({
      posture: 'L1',
      mask: ['raw/right'],
      participants: [participant('alpha'), participant('beta')],
      judges: [judge],
      rubric,
      checks: [there],
    })
    for (const each of ['spy', 'hidden']) put(`work/trial/${each}/paths`, '')
    stage.own()
    await paddock(stage, ['contest', 'trust', contest])
    const first = await paddock(stage, ['contest', 'run', contest])
    expect(first.code, first.stderr).toBe(0)
    const paths = [...everything(path.join(stage.home, 'work')), ...everything(stage.env['PADDOCK_HOME'] ?? '')]
    expect(paths.length).toBeGreaterThan(40)
    for (const each of ['spy', 'hidden']) put(`work/trial/${each}/paths`, `${paths.join('\n')}\n`)
    stage.own()
    const second = await paddock(stage, ['contest', 'run', contest, '--fresh', '--json'])
    expect(second.code, second.stderr).toBe(0)
    expect(outputs(path.join(contest, 'rounds/2'))).toEqual({
      'alpha/attempts/1/stdout.log': 'at L1\n',
      'beta/attempts/1/stdout.log': 'at L1\n',
    })
    expect(new Set(Object.values(outputs(path.join(contest, 'judging'))))).toEqual(new Set(['at L1\n']))
    const summary = JSON.parse(second.stdout)
    for (const each of summary.ranking) expect(each).toMatchObject({ posture: 'L1', checks: { results: [{ output: 'at L1\n' }] } })
    expect(summary.judges).toMatchObject([{ posture: 'L1' }])
    expect(JSON.parse(readFileSync(path.join(contest, 'rounds/2/sealed/alpha/seal.json'), 'utf8'))).toMatchObject({ posture: 'L1' })
  })

  it('at L1, a contest that was copied with --to does not see the original', async () => {
    const original = path.join(stage.home, 'examples/one')
    for (const each of ['spy', 'hidden']) put(`examples/one/${each}/look.sh`, look)
    write({ participants: [participant('alpha'), participant('beta')], checks: [there] }, 'examples/one')
    for (const each of ['spy', 'hidden']) put(`examples/one/${each}/paths`, `${everything(original).join('\n')}\n`)
    stage.own()
    rmSync(path.join(stage.home, 'work'), { recursive: true })
    const copied = path.join(stage.root, 'copied')
    const ran = await paddock(stage, ['contest', 'run', original, '--to', copied, '--posture', 'L1'])
    expect(ran.code, ran.stderr).toBe(0)
    expect(Object.values(outputs(path.join(copied, 'rounds')))).toEqual(['at L1\n', 'at L1\n'])
  })

  it('at L1, a contest of a suite sees neither the suite nor its other contests', async () => {
    const config = { participants: [participant('alpha'), participant('beta')], checks: [there] }
    const suite = path.join(stage.home, 'suites/one')
    rmSync(path.join(stage.home, 'work'), { recursive: true })
    for (const each of ['a', 'b']) {
      put(`suites/one/briefs/${each}/BRIEF.md`, 'canary-of-a-contest\n')
      put(`suites/one/briefs/${each}/brief.yaml`, 'schemaVersion: 1\nposture: L1\n')
    }
    for (const each of ['spy', 'hidden']) put(`suites/one/${each}/look.sh`, look)
    for (const each of ['spy', 'hidden']) put(`suites/one/${each}/paths`, '')
    put('suites/one/suite.yaml', JSON.stringify({ schemaVersion: 1, name: 'one', briefs: ['briefs/*'], contest: config }))
    stage.own()
    const refused = await paddock(stage, ['suite', 'run', suite])
    expect(refused.stderr).toMatch(
      /suite\.yaml asks for things that need your trust:\n {2}briefs\/a: posture = L1\n {2}briefs\/b: posture = L1/,
    )
    await paddock(stage, ['suite', 'trust', suite])
    expect((await paddock(stage, ['suite', 'run', suite])).code).toBe(0)
    for (const each of ['spy', 'hidden']) put(`suites/one/${each}/paths`, `${everything(suite).join('\n')}\n`)
    rmSync(path.join(suite, 'runs/a'), { recursive: true })
    stage.own()
    const again = await paddock(stage, ['suite', 'run', suite])
    expect(again.code, again.stderr).toBe(0)
    expect(Object.values(outputs(path.join(suite, 'runs/a/1/rounds/1')))).toEqual(['at L1\n', 'at L1\n'])
  })

  it.each([
    [
      'suite.yaml',
      { posture: 'L3' },
      'tags: []',
      /suite\.yaml, line \d+, column \d+: contest\.posture is L3, of which bubblewrap builds no cells/,
    ],
    ['a brief.yaml', {}, 'posture: L4', /briefs\/a\/brief\.yaml, line 2, column 1: posture is L4, of which bubblewrap builds no cells/],
  ])('a level that cannot be built is refused with its place in %s', async (_, more, line, expected) => {
    put('suites/one/briefs/a/BRIEF.md', 'Look around.\n')
    put('suites/one/briefs/a/brief.yaml', `schemaVersion: 1\n${line}\n`)
    for (const each of ['spy', 'hidden']) put(`suites/one/${each}/paths`, '')
    const config = { participants: [participant('alpha')], checks: [there], ...more }
    put('suites/one/suite.yaml', JSON.stringify({ schemaVersion: 1, name: 'one', briefs: ['briefs/*'], contest: config }, null, 1))
    stage.own()
    for (const args of [[], ['--dry-run']]) {
      const ran = await paddock(stage, ['suite', 'run', path.join(stage.home, 'suites/one'), ...args])
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(expected)])
    }
  })

  it('is that of the participant, else of all, and different ones are pointed out', async () => {
    write({ participants: [participant('alpha', { posture: 'L1' }), participant('beta')], checks: [there] })
    for (const each of ['spy', 'hidden']) put(`work/trial/${each}/paths`, '')
    stage.own()
    const untrusted = await paddock(stage, ['contest', 'run', contest])
    expect(untrusted.stderr).toContain('contest.yaml asks for things that need your trust:\n  participants[0].posture = L1\n')
    await paddock(stage, ['contest', 'trust', contest])
    const plan = await paddock(stage, ['contest', 'run', contest, '--dry-run', '--json'])
    expect(JSON.parse(plan.stdout).participants).toMatchObject([{ posture: 'L1' }, { posture: 'L2' }])
    const ran = await paddock(stage, ['contest', 'run', contest])
    expect(ran.stderr).toContain('participants are at different isolation levels, so they are not equals: alpha at L1, beta at L2')
    const summary = JSON.parse(readFileSync(path.join(contest, 'report/summary.json'), 'utf8'))
    expect(summary.notes).toContain(
      'Participants worked at different isolation levels, so this is not a comparison of equals: alpha at L1, beta at L2.',
    )
    expect(readFileSync(path.join(contest, 'report/report.html'), 'utf8')).toMatch(/<td>L1<\/td>[\s\S]*<td>L2<\/td>/)
    expect(outputs(path.join(contest, 'rounds/1'))['beta/attempts/1/stdout.log']).toBe('')
  })

  it('does not fall when a round goes on with a lower one in the configuration, unless an option names it', async () => {
    write({ participants: [participant('alpha'), participant('beta')], checks: [there] })
    for (const each of ['spy', 'hidden']) put(`work/trial/${each}/paths`, '')
    const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
    mkdirSync(config, { recursive: true })
    writeFileSync(path.join(config, 'config.yaml'), 'schemaVersion: 1\nrun:\n  posture: L1\n')
    stage.own()
    const level = async (...options: string[]): Promise<unknown> => {
      const ran = await paddock(stage, ['contest', 'run', contest, '--json', ...options])
      expect(ran.code, ran.stderr).toBe(0)
      return JSON.parse(ran.stdout).ranking.map((each: { posture: string }) => each.posture)
    }
    expect(await level('--posture', 'L2')).toEqual(['L2', 'L2'])
    for (const [options, expected] of [
      [[], ['L2', 'L2']],
      [
        ['--posture', 'L1'],
        ['L1', 'L1'],
      ],
      [['--fresh'], ['L1', 'L1']],
    ] as const) {
      if (!options.includes('--fresh' as never)) for (const name of ['alpha', 'beta']) await level('--retry', '--only', name, ...options)
      expect(await level(...options)).toEqual(expected)
    }
  })

  it('a contest whose directory is the home is refused at L1', async () => {
    for (const each of ['spy', 'hidden']) put(`${each}/paths`, '')
    for (const each of ['spy', 'hidden']) put(`${each}/look.sh`, look)
    write({ participants: [participant('alpha')], checks: [there] }, '.')
    const ran = await paddock(stage, ['contest', 'run', stage.home, '--posture', 'L1'])
    expect(readFileSync(path.join(stage.home, 'status.json'), 'utf8') + ran.stderr).toMatch(/is your home, so a cell of L1 would show it\./)
    expect(ran.code).not.toBe(0)
  })

  it.each([
    [
      'participants: level',
      { participants: [['alpha', { posture: 'L7' }]] },
      [],
      /line \d+, column \d+: participants\[0\]\.posture must be one of L0, L1/,
    ],
    [
      'participants: not built',
      { participants: [['alpha', { posture: 'L3' }]] },
      [],
      /line \d+, .*participants\[0\]\.posture is L3, of which bubblewrap builds no cells here; use L1 or L2/,
    ],
    [
      'all: not built',
      { posture: 'L5', participants: [['alpha', {}]] },
      [],
      /line \d+, .*: posture is L5, of which bubblewrap builds no cells here/,
    ],
    [
      'participant: backend',
      { participants: [['alpha', { backend: 'seatbelt' }]] },
      [],
      /line \d+, .*participants\[0\]\.backend is seatbelt, which this machine does not have; use auto or bubblewrap/,
    ],
    [
      'option: backend',
      { participants: [['alpha', {}]] },
      ['--backend', 'seatbelt'],
      /--backend seatbelt: it builds cells only on macOS\./,
    ],
    [
      'participant: the bare host',
      { participants: [['alpha', { posture: 'L0' }]] },
      [],
      /line \d+, .*participants\[0\]\.posture is L0, of which bubblewrap builds no cells here; use L1 or L2/,
    ],
    [
      'option: the bare host',
      { participants: [['alpha', {}]] },
      ['--posture', 'L0'],
      /--posture L0: only paddock run --posture L0 --i-know can use the bare host\./,
    ],
    ['check: not built', { participants: [['alpha', {}]], check: 'L4' }, [], /line \d+, .*checks\[0\]\.posture is L4, of which bubblewrap/],
    [
      'option: not built',
      { participants: [['alpha', {}]] },
      ['--posture', 'L3'],
      /--posture L3: bubblewrap builds no cells of that isolation level here\.\n {2}hint: Use one of: L1, L2/,
    ],
    [
      'lower than the option',
      { participants: [['alpha', { posture: 'L1' }]] },
      ['--posture', 'L2'],
      /participants\[0\]\.posture is L1, which is lower than L2 \(--posture L2\); use L2 or leave it out/,
    ],
    [
      'lower than the configuration',
      { posture: 'L1', participants: [['alpha', {}]], own: 'L2' },
      [],
      /line \d+, .*: posture is L1, which is lower than L2 \(.*config\.yaml:3: run\.posture L2\)/,
    ],
    [
      'configuration: not built',
      { participants: [['alpha', {}]], own: 'L3' },
      [],
      /config\.yaml:3: run\.posture L3: bubblewrap builds no cells of that isolation level here/,
    ],
  ] as const)('%s: is refused, and nothing is started', async (_, { participants, ...more }, args, expected) => {
    const { check, own, ...rest } = { check: undefined, own: undefined, ...more }
    const checks = [{ ...there, ...(check === undefined ? {} : { posture: check }) }]
    write({ ...rest, participants: participants.map(([name, keys]) => participant(name, keys)), checks })
    if (own !== undefined) {
      const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
      mkdirSync(config, { recursive: true })
      writeFileSync(path.join(config, 'config.yaml'), `schemaVersion: 1\nrun:\n  posture: ${own}\n`)
      stage.own()
    }
    await paddock(stage, ['contest', 'trust', contest])
    const ran = await paddock(stage, ['contest', 'run', contest, ...args])
    expect(ran.stderr).toMatch(expected)
    expect(ran.code).not.toBe(0)
    expect(everything(contest).filter((each) => each.endsWith('cell.json'))).toEqual([])
  })
})
