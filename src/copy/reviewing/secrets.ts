import { scanTree } from '../../credentials/scan/scan-tree.ts'
import { type Finding, inPlayRule } from '../../credentials/scan/secret-finding.ts'
import type { Secret } from '../../secrets/secret.ts'
import { isGitName, parentsOf } from '../copy-names.ts'
import type { CopyPlace, CopyRecord } from '../copy-record.ts'
import { isLink } from '../manifest.ts'
import type { Change } from './change.ts'
import { type TextDiff, textDiff } from './text-diff.ts'

/** Secrets in the changes of a copy. */
export interface ChangedSecrets {
  /** The findings by path. Only paths with findings are included. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
  /** Changed files that were not searched, or were searched without the rules. */
  readonly notLooked: readonly { readonly path: string; readonly why: string }[]
}

const bounds = { ms: 120_000, rulesMs: 60_000, findings: 1000 }

/**
 * Searches changed files for credentials in play, and for text that matches a rule for secrets, but only in lines that the change adds.
 * Lines that the project already has are skipped if they are still as they were copied (not in `moved`). A finding from the end of the run
 * is kept as long as the file is the same.
 */
export async function secretsIn(
  changes: readonly Change[],
  place: CopyPlace,
  record: CopyRecord,
  inPlay: readonly Secret[],
  moved: ReadonlySet<string> = new Set(),
): Promise<ChangedSecrets> {
  const changed = new Map(
    changes.filter((each) => each.kind !== 'mode' && each.now !== null && !isLink(each.now)).map((each) => [each.path, each]),
  )
  if (changed.size === 0) return { findings: new Map(), notLooked: [] }
  const directories = new Set([...changed.keys()].flatMap(parentsOf))
  const all: { readonly path: string; readonly finding: Finding }[] = []
  const { notLooked } = await scanTree(place.tree, {
    inPlay,
    wanted: (path) => changed.has(path),
    closed: (path) => !directories.has(path) || path.split('/').some(isGitName),
    found: (path, finding) => all.push({ path, finding }),
    bounds,
  })
  const found = new Map<string, Finding[]>()
  const add = (path: string, each: Finding): void => {
    found.set(path, [...(found.get(path) ?? []), each])
  }
  const fresh = new Map<string, ReadonlySet<number> | null>()
  for (const { path, finding } of all) {
    const change = changed.get(path)
    if (change === undefined) continue
    if (!fresh.has(path))
      fresh.set(
        path,
        change.base === null || moved.has(path) ? null : addedLines(await textDiff(change, record.project, place.tree, false)),
      )
    const lines = fresh.get(path) ?? null
    if (finding.line === null || lines === null || hasLine(lines, finding.line, finding.endLine ?? finding.line)) add(path, finding)
  }
  for (const { path, sha256, finding } of record.leaks ?? []) {
    const now = changed.get(path)?.now ?? null
    const known = found.get(path)?.some((each) => each.rule === inPlayRule && each.what === finding.what) === true
    if (now !== null && !isLink(now) && now.sha256 === sha256 && !known) add(path, finding)
  }
  return { findings: found, notLooked }
}

/** Returns the numbers of the lines that a diff adds to the new file; null: not known. */
function addedLines(diff: TextDiff): ReadonlySet<number> | null {
  if (diff.kind !== 'text') return null
  const added = new Set<number>()
  let line = 0
  for (const { sign, text } of diff.lines) {
    if (sign === '@') line = Number(/\+(\d+)/.exec(text)?.[1] ?? 1)
    else if (sign === '+') added.add(line++)
    else if (sign === ' ') line++
  }
  return added
}

function hasLine(lines: ReadonlySet<number>, from: number, to: number): boolean {
  for (let line = from; line <= to; line++) if (lines.has(line)) return true
  return false
}
