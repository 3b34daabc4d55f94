import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage, type Who } from '../../support/cli.ts'
import { putAgents } from '../../support/fake-agents.ts'
import { going, killed } from '../../support/going.ts'
import { putLogin } from '../../support/host-login.ts'

const tokens = { access: 'canary-access', refresh: 'canary-refresh', id: 'canary-id', expiresAt: new Date(Date.now() + 1e9) }
const snapshotsOf = (stage: Stage): string => path.join(stage.root, 'paddock/state/snapshots')
const copiesOf = (stage: Stage): string[] => readdirSync(snapshotsOf(stage)).filter((each) => each !== '.gitignore')
const copyIn = (stage: Stage, directory: string): string => path.join(snapshotsOf(stage), directory, 'login/.credentials.json')
const modeOf = (file: string): string => (lstatSync(file).mode & 0o777).toString(8)

function staged(who: Who): { readonly stage: Stage; readonly login: string; readonly unchanged: () => void } {
  const stage = makeStage(who)
  onTestFinished(() => stage[Symbol.dispose]())
  putAgents(stage, ['claude'])
  const login = putLogin(stage.home, 'claude', tokens)
  stage.own()
  const facts = (): unknown => {
    const { ino, mtimeMs, ctimeMs, mode } = lstatSync(login)
    return { ino, mtimeMs, ctimeMs, mode, content: readFileSync(login, 'utf8') }
  }
  const before = facts()
  return { stage, login, unchanged: () => expect(facts()).toEqual(before) }
}

const options = ['run', '--quiet', '--egress', 'off', '--credentials', 'snapshot'] as const
const show = (stage: Stage, more: readonly string[] = []) => paddock(stage, [...options, ...more, '--prompt', 'x', 'claude', 'show'])

describe.each(everyone)('--credentials snapshot, as %s', (who) => {
  test('the cell sees a copy, read-only, which is gone with it; the original never changes', async () => {
    const { stage, login, unchanged } = staged(who)
    const cell = going(stage, [...options, 'claude', 'stay', 'show'])
    await cell.says('canary-access')
    const [directory = '', ...others] = copiesOf(stage)
    expect(others).toEqual([])
    const copy = copyIn(stage, directory)
    expect([
      modeOf(copy),
      modeOf(path.dirname(copy)),
      modeOf(path.join(snapshotsOf(stage), directory)),
      modeOf(snapshotsOf(stage)),
    ]).toEqual(['600', '700', '700', '700'])
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(login, 'utf8'))
    expect(lstatSync(copy).ino).not.toBe(lstatSync(login).ino)
    expect(readFileSync(path.join(snapshotsOf(stage), '.gitignore'), 'utf8')).toBe('*\n')
    cell.child.stdin?.end()
    const { code, stdout } = await cell.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ content: readFileSync(login, 'utf8'), may: 'read EROFS' })
    expect(copiesOf(stage)).toEqual([])
    unchanged()
  })

  test('another cell of the same agent at the same time has another copy, and cannot see the first', async () => {
    const { stage, unchanged } = staged(who)
    const cell = going(stage, [...options, 'claude', 'stay', 'show'])
    await cell.says('canary-access')
    const [first = ''] = copiesOf(stage)
    const other = going(stage, [...options, '--env', `LOOK_FOR=${copyIn(stage, first)}`, 'claude', 'stay', 'show'])
    await other.says('"seen":false')
    expect(copiesOf(stage)).toHaveLength(2)
    // Neither a run nor paddock clean removes the copy of a running cell.
    expect((await paddock(stage, ['clean'])).stderr).toContain('there is nothing to remove')
    expect(copiesOf(stage)).toHaveLength(2)
    other.child.stdin?.end()
    expect((await other.ended).code).toBe(0)
    expect(copiesOf(stage)).toEqual([first])
    cell.child.stdin?.end()
    await cell.ended
    expect(copiesOf(stage)).toEqual([])
    unchanged()
  })

  test('after kill -9 of Paddock the next run, or paddock clean, removes it', async () => {
    const { stage, unchanged } = staged(who)
    for (const by of ['run', 'clean'] as const) {
      const cell = going(stage, [...options, 'claude', 'stay', 'show'])
      await cell.says('canary-access')
      await killed(cell)
      const [left = ''] = copiesOf(stage)
      expect(readFileSync(copyIn(stage, left), 'utf8')).toContain('canary-access')
      if (by === 'run') expect((await show(stage)).stdout).toContain('canary-access')
      else {
        await paddock(stage, ['clean', '--keep-credentials'])
        expect(copiesOf(stage)).toEqual([left])
        const dry = await paddock(stage, ['clean', '--dry-run'])
        expect([dry.stderr, copiesOf(stage)]).toEqual([
          expect.stringContaining(`would remove login copy ${snapshotsOf(stage)}/${left}`),
          [left],
        ])
        const done = JSON.parse((await paddock(stage, ['clean', '--json'])).stdout) as { removed: object[]; bytes: number }
        expect(done.removed).toContainEqual({ what: 'login copy', path: path.join(snapshotsOf(stage), left), bytes: expect.any(Number) })
      }
      expect(copiesOf(stage)).toEqual([])
    }
    unchanged()
  })
})

describe.each(everyone)('--credentials none, as %s', (who) => {
  test('nothing of the login is in the cell, and no placeholder', async () => {
    const { stage, login, unchanged } = staged(who)
    const ran = await paddock(stage, [
      'run',
      '--quiet',
      '--credentials',
      'none',
      '--env',
      `LOOK_FOR=${login}`,
      '--prompt',
      'x',
      'claude',
      'show',
    ])
    expect(JSON.parse(ran.stdout)).toEqual({ content: null, may: 'no file ENOENT', mode: null, seen: false })
    const home = await paddock(stage, ['run', '--quiet', '--credentials', 'none', '--dry-run', '--json', 'claude'])
    expect(JSON.parse(home.stdout)).toMatchObject({ credentials: [] })
    expect(ran.stdout + home.stdout).not.toMatch(/canary|sk-ant/)
    unchanged()
  })
})
