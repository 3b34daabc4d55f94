import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { recover } from '../../../src/copy/applying/undo-apply.ts'
import { lab, snapshot } from '../lab.ts'

const applyKilled = fileURLToPath(new URL('../../fixtures/copy/apply-killed.ts', import.meta.url))
const recoverThere = fileURLToPath(new URL('../../fixtures/copy/recover.ts', import.meta.url))

/** Runs a shell script as root in a new mount namespace. */
function inMounts(script: string, ...args: string[]) {
  return spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-ec', script, 'sh', process.execPath, ...args], {
    encoding: 'utf8',
  })
}

/** Returns a copy in which `sub/gone` is deleted, `sub/changed` changed and `sub/made` new, after its apply was killed at a step. */
async function killedAt(place: Awaited<ReturnType<typeof lab>>, step: number) {
  mkdirSync(path.join(place.project, 'sub'))
  for (const each of ['changed', 'gone']) writeFileSync(path.join(place.project, 'sub', each), `old ${each}`)
  const copy = await place.copy()
  rmSync(path.join(copy.place.tree, 'sub/gone'))
  for (const each of ['changed', 'made']) writeFileSync(path.join(copy.place.tree, 'sub', each), `new ${each}`)
  if (step > 0) expect(spawnSync(process.execPath, [applyKilled, place.copies, copy.place.id, String(step)]).signal).toBe('SIGKILL')
  return copy
}
/** The steps of that apply after which the old file is deleted, the first file is overwritten, and all files are written. */
const [afterDelete, afterChange, afterAll] = [7, 8, 9]

describe('an apply that cannot be finished', () => {
  it.each(['-t tmpfs none', '--bind "$4"'])('changes nothing where a part of the project is a mount of its own (%s)', async (what) => {
    await using place = await lab()
    const copy = await killedAt(place, 0)
    const before = snapshot(place.project)
    const ran = inMounts(
      `cp -a "$4" "$4.seen"; mount ${what} "$4"; cp -an "$4.seen/." "$4"; rm -r "$4.seen"; "$1" "$2" "$5" "$3" 0 || true; ls "$4"`,
      applyKilled,
      copy.place.id,
      path.join(place.project, 'sub'),
      place.copies,
    )
    expect(ran.stderr).toContain('are on another mount than the project: sub/changed, sub/gone, sub/made')
    expect(ran.stdout).toBe('changed\ngone\n')
    expect(snapshot(place.project)).toEqual(before)
  })

  it('is undone also where names are on another mount by then', async () => {
    await using place = await lab()
    const { place: made } = await killedAt(place, afterAll)
    const ran = inMounts(
      'mount --bind "$4" "$4"; "$1" "$2" "$5" "$3"; cat "$4/gone" "$4/changed"',
      recoverThere,
      made.id,
      path.join(place.project, 'sub'),
      place.copies,
    )
    expect([ran.stderr, ran.stdout]).toEqual(['', '{"how":"undone","beside":[],"journal":null}old goneold changed'])
    expect(snapshot(place.project)).toEqual({ sub: 'directory', 'sub/changed': '644 old changed', 'sub/gone': '644 old gone' })
  })

  it('leaves what was written into a new file since, with the old version beside it', async () => {
    await using place = await lab()
    const { place: made } = await killedAt(place, afterChange)
    const changed = path.join(place.project, 'sub/changed')
    const { mtime, atime } = statSync(changed)
    writeFileSync(changed, 'own changed')
    // It is also left if its time does not show the change.
    utimesSync(changed, atime, mtime)
    expect(await recover(made)).toEqual({
      how: 'undone',
      beside: [{ path: 'sub/changed', old: `sub/changed.before-apply-${made.id}` }],
      journal: null,
    })
    expect(snapshot(place.project)).toEqual({
      sub: 'directory',
      'sub/changed': '644 own changed',
      [`sub/changed.before-apply-${made.id}`]: '644 old changed',
      'sub/gone': '644 old gone',
    })
  })

  it('leaves files that were created where a file was deleted, with the old one beside them', async () => {
    await using place = await lab()
    const { place: made } = await killedAt(place, afterDelete)
    mkdirSync(path.join(place.project, 'sub/gone'))
    expect((await recover(made))?.beside).toEqual([{ path: 'sub/gone', old: `sub/gone.before-apply-${made.id}` }])
    expect(readFileSync(path.join(place.project, `sub/gone.before-apply-${made.id}`), 'utf8')).toBe('old gone')
  })

  it('keeps the old versions and says where they are, as long as they cannot be put back', async () => {
    await using place = await lab()
    const { place: made } = await killedAt(place, afterDelete)
    const sub = path.join(place.project, 'sub')
    renameSync(sub, place.at('away'))
    symlinkSync(place.at('away'), sub)
    const staging = path.join(place.project, `.paddock-apply-${made.id}`)
    for (let times = 0; times < 2; times++) {
      const error = await recover(made).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({ code: 'FILES_FAILED', message: expect.stringContaining('sub/gone') as string })
      expect((error as Error).message).toContain(staging)
      expect((error as Error).message).not.toContain('/proc/')
    }
    expect(existsSync(made.journal)).toBe(true)
    expect(readdirSync(staging)).toContain('1.old')
    expect(readdirSync(place.at('away'))).toEqual(['changed'])
    rmSync(sub)
    renameSync(place.at('away'), sub)
    expect(await recover(made)).toEqual({ how: 'undone', beside: [], journal: null })
    expect(snapshot(place.project)).toEqual({ sub: 'directory', 'sub/changed': '644 old changed', 'sub/gone': '644 old gone' })
  })
})
