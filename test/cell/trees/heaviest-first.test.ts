import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rulesOfHost } from '../../../src/adapters/agent-facts.ts'
import type { CellReport } from '../../../src/cell/report.ts'
import { heaviestFirst, mostLater, weighed, weighedNote } from '../../../src/cell/trees/heaviest-first.ts'
import { endLines } from '../../../src/cli/run/run-lines.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'

let root: string
let project: string
let other: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-heaviest-')
  ;[project, other] = [path.join(root, 'project'), path.join(root, 'other')]
  for (const each of ['home', 'project', 'other']) mkdirSync(path.join(root, each))
})
afterEach(() => removeTree(root))

async function inCell(script: string, more: Parameters<typeof plainSpec>[2] = {}): Promise<CellReport> {
  const cell = await realCells(pathsBelow(root))(plainSpec(project, ['bash', '-ec', script], more), { stdin: 'none' })
  cell.stderr.resume()
  cell.stdout.resume()
  const report = await cell.done
  expect(report.ending).toEqual({ kind: 'exited', code: 0 })
  return report
}

const later = (report: CellReport): readonly string[] => report.changes?.runsLater.map((each) => each.path) ?? []

test('A11: package.json comes before 1,500 new scripts, in the line and in the report, which has all of them', async () => {
  writeFileSync(path.join(project, 'package.json'), '{}')
  const report = await inCell(`mkdir a s
    for n in {1..1500}; do echo : > s/$n.sh; done
    echo FROM x > Dockerfile; echo all: > a/Makefile; echo agents > AGENTS.md; echo '{ }' > package.json`)
  expect(later(report)).toHaveLength(1504)
  expect(later(report).slice(0, 5)).toEqual(['package.json', 'AGENTS.md', 'Dockerfile', 'a/Makefile', 's/1.sh'])
  expect(report.changes?.created).toHaveLength(1000)
  expect(report.changes?.truncated).toBe(true)
  const line = endLines(report).find((each) => each.startsWith('review these'))
  expect(line).toMatch(/: package\.json \(npm runs its scripts\), AGENTS\.md \(agents obey it\), .*, 1500 in s\/ \(a shell script\)$/)
})

test('A11: a replaced package.json comes before new ones further down, and before those of other trees', async () => {
  writeFileSync(path.join(project, 'package.json'), '{}')
  writeFileSync(path.join(other, 'Makefile'), 'all:')
  const report = await inCell(
    `for n in {1..20}; do mkdir $n; echo '{}' > $n/package.json; done; echo x > x.sh
    echo '{ }' > new; mv new package.json; echo 'x:' > ${other}/Makefile`,
    { mounts: [{ source: other, access: 'rw' }] },
  )
  expect(later(report).slice(0, 3)).toEqual(['package.json', `${other}/Makefile`, '1/package.json'])
  expect(later(report).at(-1)).toBe('x.sh')
})

test('A11: 30 new .idea do not hide which .envrc was quarantined', async () => {
  const report = await inCell('mkdir sub; for n in {1..30}; do mkdir -p $n/.idea; done; echo x > sub/.envrc')
  expect(report.changes?.quarantined).toHaveLength(31)
  const lines = endLines(report).filter((each) => each.startsWith('quarantined'))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toContain('sub/.envrc → sub/.envrc.quarantined')
  expect(lines[1]).toMatch(/\/\.idea → .*, and 29 more of \.idea$/)
})

test('A11: beyond 100,000 the lightest are left out', () => {
  const scripts = weighed(
    Array.from({ length: 100_001 }, (_, n) => `many/${n}.sh`),
    true,
    rulesOfHost,
  )
  const kept = heaviestFirst(
    [...scripts, ...weighed(['sub/package.json'], false, rulesOfHost), weighedNote({ path: 'x', why: 'rights' })],
    mostLater,
  )
  expect([kept.length, kept[0]?.path, kept[1]?.path]).toEqual([100_000, 'x', 'sub/package.json'])
})
