import type { SpawnSyncOptionsWithBufferEncoding, SpawnSyncReturns } from 'node:child_process'
import { spawnSync } from '../system/start-program.ts'

const mostStarts = 10

/**
 * Runs git in a repository whose cells may start or end at the same moment. A cell has an inert file `commondir` in the git directory. Git
 * fails if the file appears or goes between its look and its read (get_common_dir_noenv in git's setup.c), before it has done anything.
 * Then starts git again, at most 10 times. Sees the failure only if standard error is a pipe.
 */
export function startGit(
  program: string,
  args: readonly string[],
  options: Omit<SpawnSyncOptionsWithBufferEncoding, 'encoding'>,
): SpawnSyncReturns<Buffer> {
  for (let start = 1; ; start++) {
    const end = spawnSync(program, args, options)
    if (start === mostStarts || end.status !== 128 || !/failed to read .*\/commondir\b/.test(String(end.stderr ?? ''))) return end
  }
}
