import path from 'node:path'
import { contains } from '../../cell/plan/filesystem.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import { reachOf } from '../../cell/plan/trifecta/trifecta.ts'
import { type Survey, survey } from '../../credentials/scan/survey.ts'

const mostShown = 5

/**
 * Returns warnings to print before a start: files that the cell will see and that look as if they contain secrets, if the cell has network
 * access. The scan is quick and does not find everything.
 */
export async function secretsAhead(spec: CellSpec): Promise<readonly string[]> {
  const way = reachOf(spec.egress)
  if (way === null) return []
  const project = spec.projectCopy ?? spec.project
  const roots = [
    ...(project === undefined ? [] : [project]),
    ...spec.mounts.filter((each) => (each.reason ?? 'user') === 'user').map((each) => each.source),
  ]
  const trees = [...new Set(roots)].map((root) => ({
    root,
    hidden: (spec.masks ?? []).filter((each) => contains(root, each.source)).map((each) => each.source.slice(root.length + 1)),
  }))
  const { files, isWhole } = await survey(trees)
  const named = files.map((each) => ({
    ...each,
    path: fromHere(each.root === project ? (spec.project ?? each.root) : each.root, each.path, spec.cwd),
  }))
  if (named.length === 0) return []
  return [
    ...linesOf(named, way),
    ...(isWhole ? [] : ['not all files were searched']),
    `to hide one from the cell: --mask ${named[0]?.path}; to let it reach only its agent's own hosts: --private`,
  ]
}

/** Returns the path of a file below `root`, relative to `cwd` if the file is inside `cwd`. */
function fromHere(root: string, file: string, cwd: string): string {
  const whole = path.join(root, file)
  return contains(cwd, whole) ? path.relative(cwd, whole) : whole
}

/** Returns a text such as `.env contains what looks like 3 secrets, and this cell can reach the internet`. */
function linesOf(files: Survey['files'], way: string): readonly string[] {
  const lines = files
    .slice(0, mostShown)
    .map(
      (each) =>
        `${each.path} contains what looks like ${each.secrets === 1 ? `a secret (${each.what})` : `${each.secrets} secrets`}, and this cell can reach ${way}`,
    )
  if (files.length > mostShown) lines.push(`${files.length - mostShown} more files contain what looks like secrets`)
  return lines
}
