import path from 'node:path'
import { contains } from '../cell/filesystem.ts'
import type { CellSpec } from '../cell/spec.ts'
import { reachOf } from '../cell/trifecta.ts'
import { type Survey, survey } from '../credentials/scan/survey.ts'

const ms = 300
const mostShown = 5

/**
 * Lines for before a start: files that the cell will see and that look as if they hold secrets, where the cell has a way out. A quick
 * look, which does not find everything.
 */
export async function secretsAhead(spec: CellSpec): Promise<readonly string[]> {
  const way = reachOf(spec.egress)
  if (way === null) return []
  const project = spec.projectCopy ?? spec.project
  const roots = [
    ...(project === undefined ? [] : [project]),
    ...spec.mounts.filter((each) => (each.reason ?? 'user') === 'user').map((each) => each.source),
  ]
  const files: Survey['files'][number][] = []
  const until = performance.now() + ms
  for (const root of new Set(roots)) {
    const left = until - performance.now()
    if (left <= 0) break
    const hidden = (spec.masks ?? []).filter((each) => contains(root, each.source)).map((each) => each.source.slice(root.length + 1))
    const found = await survey(root, { hidden, ms: left })
    files.push(
      ...found.files.map((each) => ({ ...each, path: fromHere(root === project ? (spec.project ?? root) : root, each.path, spec.cwd) })),
    )
  }
  if (files.length === 0) return []
  return [
    ...linesOf(files, way),
    `to hide one from the cell: --mask ${files[0]?.path}; to let it reach its agent’s own hosts alone: --private`,
  ]
}

/** As a person who stands in `cwd` would name it. */
function fromHere(root: string, file: string, cwd: string): string {
  const whole = path.join(root, file)
  return contains(cwd, whole) ? path.relative(cwd, whole) : whole
}

/** `.env holds what looks like 3 secrets, and this cell can reach the internet`. */
function linesOf(files: Survey['files'], way: string): readonly string[] {
  const lines = files
    .slice(0, mostShown)
    .map(
      (each) =>
        `${each.path} holds what looks like ${each.secrets === 1 ? `a secret (${each.what})` : `${each.secrets} secrets`}, and this cell can reach ${way}`,
    )
  if (files.length > mostShown) lines.push(`${files.length - mostShown} more files hold what looks like secrets`)
  return lines
}
