import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CellReport } from '../../src/cell/report.ts'
import { quarantineNew } from '../../src/cell/trees/quarantine-new.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

let root: string
let project: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-new-settings-')
  project = path.join(root, 'project')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
})
afterEach(() => removeTree(root))

async function inCell(script: string): Promise<CellReport> {
  const cell = await realCells(pathsBelow(root))(plainSpec(project, ['bash', '-ec', script]), { stdin: 'none' })
  cell.stderr.resume()
  cell.stdout.resume()
  const report = await cell.done
  expect(report.ending).toEqual({ kind: 'exited', code: 0 })
  return report
}

const recommend = `echo '{ "recommendations": ["Vue.volar"] }'`
const quarantined = (report: CellReport): readonly string[] => report.changes?.quarantined.map((each) => each.path).sort() ?? []

describe('a new settings directory of an editor', () => {
  test('stays if it can run nothing, and its files are named', async () => {
    const report = await inCell(
      `for each in .vscode pkg/.vscode app/a/b/.vscode; do mkdir -p $each; ${recommend} > $each/extensions.json; done; echo '{}' > pkg/.vscode/launch.json`,
    )
    expect(quarantined(report)).toEqual([])
    const files = ['.vscode/extensions.json', 'app/a/b/.vscode/extensions.json', 'pkg/.vscode/extensions.json', 'pkg/.vscode/launch.json']
    expect(report.changes?.created).toEqual(files)
    expect([...new Set(report.changes?.runsLater.map((each) => each.path))].sort()).toEqual(files)
  })

  test('stays read-only in the next cell', async () => {
    await inCell(`mkdir .vscode; ${recommend} > .vscode/extensions.json`)
    const report = await inCell('! echo 1 > .vscode/tasks.json; ! mv .vscode away; test -f .vscode/extensions.json')
    expect([quarantined(report), readdirSync(path.join(project, '.vscode'))]).toEqual([[], ['extensions.json']])
  })

  test('is quarantined as a whole if one of its files could run something', async () => {
    const report = await inCell(
      `for each in .vscode pkg/.vscode; do mkdir -p $each; ${recommend} > $each/extensions.json; done; echo '{"version":"2.0.0","tasks":[{"\\u0072unOptions":{}}]}' > .vscode/tasks.json; ln -s /etc pkg/.vscode/deep`,
    )
    expect(quarantined(report)).toEqual(['.vscode', 'pkg/.vscode'])
    expect(existsSync(path.join(project, '.vscode.quarantined/extensions.json'))).toBe(true)
  })

  test('is quarantined if it is empty, a link, or in a directory that is quarantined', async () => {
    const report = await inCell(
      `mkdir -p a/.vscode b .claude/.vscode; ln -s ../harmless b/.vscode; mkdir harmless; for each in harmless .claude/.vscode; do ${recommend} > $each/extensions.json; done`,
    )
    expect(quarantined(report)).toEqual(['.claude', '.claude.quarantined/.vscode', 'a/.vscode', 'b/.vscode'])
  })

  test('is quarantined in each of two directories whose names look the same', async () => {
    const report = await inCell(
      String.raw`for each in $'\xff' $'\xfe'; do mkdir -p $each/.vscode; echo bad > $each/.vscode/tasks.json; done`,
    )
    expect(report.changes?.quarantined).toHaveLength(2)
  })

  test('is quarantined in what a participant of a contest made', async () => {
    await inCell(`mkdir .vscode; ${recommend} > .vscode/extensions.json`)
    expect((await quarantineNew(project, [])).quarantined).toEqual([{ path: '.vscode', movedTo: '.vscode.quarantined' }])
  })
})
