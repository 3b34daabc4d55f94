import path from 'node:path'
import { contains } from '../../../cell/plan/filesystem.ts'
import { whyNoPlace } from '../../config/contest-workspace.ts'
import type { Written } from './dockerfile.ts'
import { isOfTests, isWide, wideAbove } from './task-places.ts'

const mostPaths = 1000

/**
 * Returns the absolute paths in an instruction at which a task may expect files outside of its directories, such as /home/user/report.json.
 * Paths without an extension count only in directories such as /home and /tmp, because other text has this form, too (/api/users).
 */
export function pathsOutside(instruction: string, directories: readonly string[]): Written[] {
  const all = [...pathsIn(instruction)].slice(0, mostPaths)
  return all
    .filter((each) => !directories.some((directory) => contains(directory, each)))
    .filter((each) => !isOfTests(each) && !isWide(each) && !/^\/var\/(?:run|lock)\//.test(each))
    .filter((each) => wideAbove(each) !== null || (path.posix.extname(each) !== '' && whyNoPlace(each) === null))
    .map((each) => ({
      path: each,
      kind: all.some((other) => other.startsWith(`${each}/`)) ? ('directory' as const) : ('file' as const),
    }))
}

function pathsIn(text: string): Set<string> {
  const found = text.matchAll(/(?<![\w.:/~$}{*<-])\/[\w.-]+(?:\/[\w.-]+)*/g)
  return new Set([...found].map(([each]) => path.posix.normalize(each.replace(/[.-]+$/, ''))))
}
