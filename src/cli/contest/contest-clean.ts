import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { formatSize, parseDuration } from '../../base/quantities.ts'
import { cleanContest, pruneContest } from '../../contest/cleanup/leftovers.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

interface RemovalOptions {
  readonly dryRun?: boolean
  readonly all?: boolean
  readonly olderThan?: string
}

/** `paddock contest clean|prune`: prints the removed items with their sizes to standard output. */
export async function contestRemoval(
  step: 'clean' | 'prune',
  directory: string,
  options: RemovalOptions,
): Promise<Answer<Result<'contest clean'>>> {
  const dryRun = options.dryRun === true
  const own = { paths: resolvePaths(process.env) }
  const result =
    step === 'clean'
      ? await cleanContest(directory, own, { dryRun })
      : await pruneContest(directory, own, { dryRun, all: options.all === true, ...changedBefore(options) })
  const { removed, bytes, bytesBefore, bytesAfter } = result
  const verb = dryRun ? 'would remove' : 'removed'
  const lines = removed.map((each) => `${verb} ${each.what} ${each.path} (${formatSize(each.bytes)})`)
  lines.push(removed.length === 0 ? 'there is nothing to remove' : `${verb} ${removed.length} in all, ${formatSize(bytes)}`)
  if (!dryRun && removed.length > 0) lines.push(`the contest had ${formatSize(bytesBefore)} before and has ${formatSize(bytesAfter)} now`)
  return { data: result, lines }
}

/** Parses `--older-than`. */
function changedBefore({ olderThan }: RemovalOptions): { readonly changedBefore?: Date } {
  if (olderThan === undefined) return {}
  const days = /^([1-9]\d{0,4})d$/.exec(olderThan)?.[1]
  const ms = days === undefined ? parseDuration(olderThan) : Number(days) * 86_400_000
  if (ms === null)
    throw new PaddockError('BAD_INPUT', `--older-than ${olderThan} cannot be read.`, {
      hint: 'Give a number and a unit, such as 30d or 12h',
    })
  return { changedBefore: new Date(Date.now() - ms) }
}
