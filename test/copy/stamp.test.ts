import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyChanges, movedPaths } from '../../src/copy/applying/apply.ts'
import { type Entry, isLink } from '../../src/copy/manifest.ts'
import { type CopyPlace, readManifest, writeManifest } from '../../src/copy/record.ts'
import { isAsHashed, stampOf, withoutRacy } from '../../src/copy/stamp.ts'
import { lab, scanned, snapshot } from './lab.ts'

const facts = { ino: 7, size: 3, mtimeMs: 1000.5, ctimeMs: 2000.25, dev: 1 }
const hashed = { path: 'a', mode: 0o644, size: 3, sha256: '0'.repeat(64), stamp: stampOf(facts) }

/** Changes a file but keeps its size and its times to the nanosecond with touch(1), as a program could. */
function rewrite(file: string, content: string): void {
  const reference = `${file}.reference`
  execFileSync('cp', ['--preserve=timestamps', file, reference])
  const before = statSync(file, { bigint: true })
  writeFileSync(file, content)
  execFileSync('touch', ['-r', reference, file])
  execFileSync('rm', [reference])
  const after = statSync(file, { bigint: true })
  expect([after.size, after.mtimeNs, after.ino]).toEqual([before.size, before.mtimeNs, before.ino])
}

/** Waits, so that no file is changed in the same clock tick in which the stamps are taken. */
function oneTickLater(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15)
}

async function paths(copy: Parameters<typeof scanned>[0]): Promise<readonly string[]> {
  return (await scanned(copy)).scan.changes.map((each) => each.path)
}

async function stamped(place: CopyPlace): Promise<readonly string[]> {
  const { entries } = await readManifest(place)
  return entries.filter((each) => !isLink(each) && each.stamp !== undefined).map((each) => each.path)
}

describe('8: facts that a copy keeps about a file that it does not read again', () => {
  it('is the same file only if inode, size, both times and the device are equal', () => {
    expect(isAsHashed(hashed, facts, 1)).toBe(true)
    for (const other of [{ ino: 8 }, { size: 4 }, { mtimeMs: 1000 }, { ctimeMs: 2000.5 }, { ctimeMs: 1999 }, { dev: 2 }])
      expect([other, isAsHashed(hashed, { ...facts, ...other }, 1)]).toEqual([other, false])
    expect(isAsHashed({ size: 3 }, facts, 1)).toBe(false)
  })

  it('has no stamp if the file was changed when the stamps were taken, or later', () => {
    const entry = (ctimeMs: number): Entry => ({ ...hashed, stamp: stampOf({ ...facts, ctimeMs }) })
    const kept = withoutRacy([entry(1999), entry(2000), entry(2001), { path: 'link', target: 'x' }], 2000)
    expect(kept.map((each) => !isLink(each) && each.stamp !== undefined)).toEqual([true, false, false, false])
  })

  it('is worth nothing after a restart and on another device', async () => {
    await using place = await lab()
    writeFileSync(path.join(place.project, 'file'), 'one')
    const copy = await place.copy()
    const base = await readManifest(copy.place)
    const device = lstatSync(copy.place.tree).dev
    const forged = {
      schemaVersion: base.schemaVersion,
      entries: base.entries.map((each) => (isLink(each) ? each : { ...each, sha256: '0'.repeat(64) })),
    }
    const stat = lstatSync(path.join(copy.place.tree, 'file'))
    const stamped = forged.entries.map((each) => (isLink(each) ? each : { ...each, stamp: stampOf(stat) }))
    for (const where of [
      { boot: 'another', device },
      { boot: base.stamped?.boot ?? '', device: device + 1 },
    ]) {
      await writeManifest(copy.place, { ...forged, entries: stamped, stamped: where })
      expect(await paths(copy)).toEqual(['file'])
    }
    // If the file system is not known to keep change times, every file is read.
    await writeManifest(copy.place, { ...forged, entries: stamped })
    expect(await paths(copy)).toEqual(['file'])
    if (base.stamped !== undefined) {
      await writeManifest(copy.place, { ...forged, entries: stamped, stamped: base.stamped })
      expect(await paths(copy)).toEqual([])
    }
  })
})

describe('8: a change that hides', () => {
  it('in the copy, behind the same size and modification time, is reviewed and applied', async () => {
    await using place = await lab()
    for (const each of ['one', 'two', 'three']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: oneTickLater })
    rewrite(path.join(copy.place.tree, 'two'), 'after!')
    const { base, scan } = await scanned(copy)
    expect(scan.changes.map((each) => [each.path, each.kind])).toEqual([['two', 'modified']])
    await applyChanges(copy.place, place.project, scan.changes, base)
    expect(readFileSync(path.join(place.project, 'two'), 'utf8')).toBe('after!')
    expect(await paths(copy)).toEqual([])
  })

  it('in the copy, in another file with the same size and times moved into its place, is found', async () => {
    await using place = await lab()
    mkdirSync(path.join(place.project, 'sub'))
    writeFileSync(path.join(place.project, 'sub/file'), 'before')
    const copy = await place.copy({ onFile: oneTickLater })
    const file = path.join(copy.place.tree, 'sub/file')
    writeFileSync(`${file}.new`, 'after!')
    execFileSync('touch', ['-r', file, `${file}.new`])
    renameSync(`${file}.new`, file)
    expect(await paths(copy)).toEqual(['sub/file'])
  })

  it('in the copy, right after it was made, is found in every file', async () => {
    await using place = await lab()
    const names = [...Array(30).keys()].map((each) => `f${String(each).padStart(2, '0')}`)
    for (const each of names) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy()
    for (const each of names) {
      const file = path.join(copy.place.tree, each)
      const { atime, mtime } = lstatSync(file)
      writeFileSync(file, 'after!')
      utimesSync(file, atime, mtime)
    }
    expect(await paths(copy)).toEqual(names)
  })

  it('in the project, behind the same size and modification time, is not overwritten', async () => {
    await using place = await lab()
    for (const each of ['one', 'two']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: oneTickLater })
    writeFileSync(path.join(copy.place.tree, 'two'), 'by the agent')
    rewrite(path.join(place.project, 'two'), 'yours!')
    const { base, scan } = await scanned(copy)
    expect(movedPaths(place.project, scan.changes, base)).toEqual(['two'])
    const before = snapshot(place.project)
    await expect(applyChanges(copy.place, place.project, scan.changes, base)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(snapshot(place.project)).toEqual(before)
  })

  it('in the copy, after an earlier apply of the same file, is found again', async () => {
    await using place = await lab()
    for (const each of ['one', 'two']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: oneTickLater })
    const file = path.join(copy.place.tree, 'two')
    writeFileSync(file, 'second')
    const { base, scan } = await scanned(copy)
    await applyChanges(copy.place, place.project, scan.changes, base)
    expect(await stamped(copy.place)).not.toContain('two')
    rewrite(file, 'third!')
    expect(await paths(copy)).toEqual(['two'])
  })
})
