import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { applyChanges, movedPaths } from '../../../src/copy/applying/apply-changes.ts'
import { recover } from '../../../src/copy/applying/undo-apply.ts'
import { lab, scanned, snapshot } from '../lab.ts'

const killed = fileURLToPath(new URL('../../fixtures/copy/apply-killed.ts', import.meta.url))

function fill(project: string): void {
  for (const each of ['gone/deep', 'becomes-file', 'kept']) mkdirSync(path.join(project, each), { recursive: true })
  writeFileSync(path.join(project, 'gone/deep/x'), 'x')
  writeFileSync(path.join(project, 'becomes-file/y'), 'y')
  writeFileSync(path.join(project, 'becomes-directory'), 'z')
  writeFileSync(path.join(project, 'kept/same'), 'same')
  writeFileSync(path.join(project, 'kept/changed'), 'old')
  writeFileSync(path.join(project, 'kept/mode'), 'mode', { mode: 0o644 })
  symlinkSync('same', path.join(project, 'kept/link'))
}

function work(tree: string): void {
  for (const each of ['gone', 'becomes-file', 'becomes-directory', 'kept/link'])
    rmSync(path.join(tree, each), { recursive: true, force: true })
  writeFileSync(path.join(tree, 'becomes-file'), 'now a file')
  mkdirSync(path.join(tree, 'becomes-directory/inner'), { recursive: true })
  writeFileSync(path.join(tree, 'becomes-directory/inner/new'), 'new', { mode: 0o755 })
  writeFileSync(path.join(tree, 'kept/changed'), 'new')
  chmodSync(path.join(tree, 'kept/mode'), 0o755)
  symlinkSync('changed', path.join(tree, 'kept/link'))
}

describe('applying a copy', () => {
  it('makes the project what the copy is: contents, modes, links, deletions, files for directories and back', async () => {
    await using place = await lab()
    fill(place.project)
    const copy = await place.copy()
    work(copy.place.tree)
    const { base, scan } = await scanned(copy)
    await applyChanges(copy.place, place.project, scan.changes, base)
    expect(snapshot(place.project)).toEqual(snapshot(copy.place.tree))
    const again = await scanned(copy)
    expect(again.scan.changes).toEqual([])
  })

  it('killed at any step, it is whole or undone after the next call', async () => {
    for (let step = 1; step < 100; step++) {
      await using place = await lab()
      fill(place.project)
      const copy = await place.copy()
      work(copy.place.tree)
      const [before, after] = [snapshot(place.project), snapshot(copy.place.tree)]
      const ran = spawnSync(process.execPath, [killed, place.copies, copy.place.id, String(step)], { encoding: 'utf8' })
      if (ran.signal === null) {
        expect(ran.stderr).toBe('')
        expect(ran.status).toBe(0)
        expect(Number(ran.stdout)).toBe(step - 1)
        expect(step).toBeGreaterThan(15)
        return
      }
      const did = await recover(copy.place)
      expect([step, snapshot(place.project)]).toEqual([step, did?.how === 'finished' ? after : before])
      expect(await recover(copy.place)).toBeNull()
    }
  })

  it('a failure at any step changes nothing', async () => {
    await using place = await lab()
    fill(place.project)
    const copy = await place.copy()
    work(copy.place.tree)
    const before = snapshot(place.project)
    for (let step = 1; step < 100; step++) {
      const { base, scan } = await scanned(copy)
      let steps = 0
      const applied = await applyChanges(copy.place, place.project, scan.changes, base, () => {
        steps += 1
        if (steps === step) throw new Error('on purpose')
      }).catch((error: Error) => error)
      if (!(applied instanceof Error)) break
      expect(applied.message).toContain('on purpose')
      // The last step comes after everything is in place.
      if (Object.keys(snapshot(place.project)).includes('becomes-directory/inner/new')) break
      expect([step, snapshot(place.project)]).toEqual([step, before])
    }
    expect(snapshot(place.project)).toEqual(snapshot(copy.place.tree))
  })

  it('refuses where the project moved, and names the paths', async () => {
    await using place = await lab()
    fill(place.project)
    const copy = await place.copy()
    work(copy.place.tree)
    writeFileSync(path.join(place.project, 'kept/changed'), 'by the user')
    writeFileSync(path.join(place.project, 'kept/same'), 'of no concern')
    const before = snapshot(place.project)
    const { base, scan } = await scanned(copy)
    await expect(applyChanges(copy.place, place.project, scan.changes, base)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('kept/changed') as string,
    })
    expect(snapshot(place.project)).toEqual(before)
  })

  it('a file that was created at the place of a new one is not overwritten', async () => {
    await using place = await lab()
    const copy = await place.copy()
    writeFileSync(path.join(copy.place.tree, 'new'), 'by the agent')
    const { base, scan } = await scanned(copy)
    let steps = 0
    const applied = applyChanges(copy.place, place.project, scan.changes, base, () => {
      steps += 1
      if (steps === 4) writeFileSync(path.join(place.project, 'new'), 'by the user')
    })
    await expect(applied).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(snapshot(place.project)).toEqual({ new: '644 by the user' })
  })

  it('writes through no link in its path', async () => {
    await using place = await lab()
    fill(place.project)
    mkdirSync(place.at('elsewhere'))
    const copy = await place.copy()
    writeFileSync(path.join(copy.place.tree, 'kept/changed'), 'new')
    writeFileSync(path.join(copy.place.tree, 'kept/fresh'), 'new')
    renameSync(path.join(place.project, 'kept'), place.at('elsewhere/kept'))
    symlinkSync(place.at('elsewhere/kept'), path.join(place.project, 'kept'))
    const { base, scan } = await scanned(copy)
    expect(scan.changes.map((each) => each.path)).toEqual(['kept/changed', 'kept/fresh'])
    await expect(applyChanges(copy.place, place.project, scan.changes, base)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(readFileSync(place.at('elsewhere/kept/changed'), 'utf8')).toBe('old')
    expect(existsSync(place.at('elsewhere/kept/fresh'))).toBe(false)
    expect(lstatSync(path.join(place.project, 'kept')).isSymbolicLink()).toBe(true)
  })

  it('makes room where a directory with directories becomes a file or a link, and where a link becomes a directory', async () => {
    await using place = await lab()
    for (const each of ['to-file/a/b', 'to-file/c', 'to-link/a', 'target']) mkdirSync(path.join(place.project, each), { recursive: true })
    for (const each of ['to-file/a/b/x', 'to-file/c/x', 'to-link/a/x', 'target/sub'])
      if (each === 'target/sub') mkdirSync(path.join(place.project, each))
      else writeFileSync(path.join(place.project, each), each)
    writeFileSync(path.join(place.project, 'target/sub/own'), 'own')
    symlinkSync('target', path.join(place.project, 'from-link'))
    const copy = await place.copy()
    const { tree } = copy.place
    for (const each of ['to-file', 'to-link', 'from-link']) rmSync(path.join(tree, each), { recursive: true })
    writeFileSync(path.join(tree, 'to-file'), 'a file')
    symlinkSync('target', path.join(tree, 'to-link'))
    mkdirSync(path.join(tree, 'from-link/sub'), { recursive: true })
    writeFileSync(path.join(tree, 'from-link/sub/new'), 'new')
    const { base, scan } = await scanned(copy)
    expect(movedPaths(place.project, scan.changes, base)).toEqual([])
    const before = snapshot(place.project)
    for (let step = 1; ; step++) {
      let steps = 0
      const failed = await applyChanges(copy.place, place.project, scan.changes, base, () => {
        steps += 1
        if (steps === step) throw new Error('on purpose')
      }).catch((error: Error) => error)
      if (!(failed instanceof Error)) break
      expect(failed.message).toContain('on purpose')
      if (existsSync(path.join(place.project, 'from-link/sub/new'))) break
      expect(snapshot(place.project)).toEqual(before)
    }
    expect(snapshot(place.project)).toEqual(snapshot(tree))
  })

  it('reports what is in the way, and names no descriptor', async () => {
    await using place = await lab()
    writeFileSync(path.join(place.project, 'file'), 'x')
    mkdirSync(path.join(place.project, 'directory'))
    writeFileSync(path.join(place.project, 'directory/known'), 'x')
    const copy = await place.copy()
    const { tree } = copy.place
    for (const each of ['file', 'directory']) rmSync(path.join(tree, each), { recursive: true })
    mkdirSync(path.join(tree, 'file'))
    writeFileSync(path.join(tree, 'file/below'), 'x')
    writeFileSync(path.join(tree, 'directory'), 'x')
    writeFileSync(path.join(place.project, 'directory/unknown'), 'x')
    const before = snapshot(place.project)
    const { base, scan } = await scanned(copy)
    const only = (name: string) => scan.changes.filter((each) => each.path === name || each.path.startsWith(`${name}/`))
    const refused = async (changes: typeof scan.changes): Promise<string> =>
      String(await applyChanges(copy.place, place.project, changes, base).catch((error: Error) => error.message))
    expect(await refused(only('file/below'))).toContain('file/below (file is not a directory in the project; apply that change with it)')
    expect(await refused(only('directory'))).toContain('directory (it is a directory in the project, with directory/unknown in it')
    expect(snapshot(place.project)).toEqual(before)
    await applyChanges(copy.place, place.project, only('file'), base)
    expect(readFileSync(path.join(place.project, 'file/below'), 'utf8')).toBe('x')
  })
})
