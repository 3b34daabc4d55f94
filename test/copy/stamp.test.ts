import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyChanges, movedPaths } from '../../src/copy/applying/apply-changes.ts'
import { type CopyPlace, readManifest, writeManifest } from '../../src/copy/copy-record.ts'
import { isLink } from '../../src/copy/manifest.ts'
import { lab, scanned, snapshot } from './lab.ts'

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

/** Returns a function that waits after the 280th file, so that most files were written in an earlier tick of the clock than the last. */
function onceATick(): () => void {
  let files = 0
  return () => {
    files += 1
    if (files === 290) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
  }
}

async function paths(copy: Parameters<typeof scanned>[0]): Promise<readonly string[]> {
  return (await scanned(copy)).scan.changes.map((each) => each.path)
}

/** A project of so many files that stamps of its copy are worth while. */
function many(project: string): readonly string[] {
  return [...Array(300).keys()].map((each) => {
    const name = `d${each % 10}/f${each}`
    mkdirSync(path.join(project, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(project, name), 'before')
    return name
  })
}

/** Makes the base of a copy differ from every file in it, so that a file is found to be changed exactly if it is read. */
async function pretendOthers({ place }: { readonly place: CopyPlace }): Promise<void> {
  const { entries } = await readManifest(place)
  await writeManifest(
    place,
    entries.map((each) => (isLink(each) ? each : { ...each, sha256: '0'.repeat(64) })),
  )
}

describe('8: stamps of files that are not read again', () => {
  it('a file is read again if it was written, renamed into place, or made anew, and one that is as it was is not', async () => {
    await using place = await lab()
    const names = many(place.project)
    const copy = await place.copy({ onFile: onceATick() })
    await pretendOthers(copy)
    const [written = '', moved = '', made = '', removed = '', ...others] = names
    const at = (name: string): string => path.join(copy.place.tree, name)
    rewrite(at(written), 'after!')
    renameSync(at(moved), at(`${moved}.away`))
    execFileSync('cp', ['--preserve=timestamps', at(`${moved}.away`), at(moved)])
    const { atime, mtime } = lstatSync(at(made))
    rmSync(at(made))
    writeFileSync(at(made), 'before')
    utimesSync(at(made), atime, mtime)
    rmSync(at(removed))
    const found = await paths(copy)
    expect(found).toEqual(expect.arrayContaining([written, moved, `${moved}.away`, made, removed]))
    expect(others.filter((each) => found.includes(each)).length).toBeLessThan(20)
  })

  it('a directory that was moved into the place of another one is looked into', async () => {
    await using place = await lab()
    many(place.project)
    const copy = await place.copy({ onFile: onceATick() })
    const at = (name: string): string => path.join(copy.place.tree, name)
    renameSync(at('d1'), at('away'))
    execFileSync('cp', ['-a', at('away'), at('d1')])
    writeFileSync(at('d1/f1'), 'after!')
    expect((await paths(copy)).filter((each) => !each.startsWith('away/'))).toEqual(['d1/f1'])
  })

  it('are worth nothing after a restart and on another device', async () => {
    await using place = await lab()
    const names = many(place.project)
    const copy = await place.copy({ onFile: onceATick() })
    await pretendOthers(copy)
    const [scope = '', ...lines] = readFileSync(copy.place.stamps, 'latin1').split('\0')
    const [boot, device] = scope.split(' ')
    for (const other of [`another ${device}`, `${boot} ${Number(device) + 1}`, '']) {
      writeFileSync(copy.place.stamps, [other, ...lines].join('\0'), 'latin1')
      expect((await paths(copy)).length).toBe(names.length)
    }
    writeFileSync(copy.place.stamps, [scope, ...lines].join('\0'), 'latin1')
    expect((await paths(copy)).length).toBeLessThan(20)
    rmSync(copy.place.stamps)
    expect((await paths(copy)).length).toBe(names.length)
  })
})

describe('8: a change that hides', () => {
  it('in the copy, behind the same size and modification time, is reviewed and applied', async () => {
    await using place = await lab()
    many(place.project)
    for (const each of ['one', 'two', 'three']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: onceATick() })
    rewrite(path.join(copy.place.tree, 'two'), 'after!')
    const { base, scan } = await scanned(copy)
    expect(scan.changes.map((each) => [each.path, each.kind])).toEqual([['two', 'modified']])
    await applyChanges(copy.place, place.project, scan.changes, base)
    expect(readFileSync(path.join(place.project, 'two'), 'utf8')).toBe('after!')
    expect(await paths(copy)).toEqual([])
  })

  it('in the copy, in another file with the same size and times moved into its place, is found', async () => {
    await using place = await lab()
    many(place.project)
    mkdirSync(path.join(place.project, 'sub'))
    writeFileSync(path.join(place.project, 'sub/file'), 'before')
    const copy = await place.copy({ onFile: onceATick() })
    const file = path.join(copy.place.tree, 'sub/file')
    writeFileSync(`${file}.new`, 'after!')
    execFileSync('touch', ['-r', file, `${file}.new`])
    renameSync(`${file}.new`, file)
    expect(await paths(copy)).toEqual(['sub/file'])
  })

  it('in the copy, right after it was made, is found in every file', async () => {
    await using place = await lab()
    const names = many(place.project)
    const copy = await place.copy()
    for (const each of names) {
      const file = path.join(copy.place.tree, each)
      const { atime, mtime } = lstatSync(file)
      writeFileSync(file, 'after!')
      utimesSync(file, atime, mtime)
    }
    expect((await paths(copy)).length).toBe(names.length)
  })

  it('in the project, behind the same size and modification time, is not overwritten', async () => {
    await using place = await lab()
    many(place.project)
    for (const each of ['one', 'two']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: onceATick() })
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
    many(place.project)
    for (const each of ['one', 'two']) writeFileSync(path.join(place.project, each), 'before')
    const copy = await place.copy({ onFile: onceATick() })
    const file = path.join(copy.place.tree, 'two')
    writeFileSync(file, 'second')
    const { base, scan } = await scanned(copy)
    await applyChanges(copy.place, place.project, scan.changes, base)
    rewrite(file, 'third!')
    expect(await paths(copy)).toEqual(['two'])
  })
})
