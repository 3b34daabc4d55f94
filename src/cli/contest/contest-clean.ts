import { cleanContest, pruneContest } from '../../contest/state/leftovers.ts'
import { exitCodes } from '../../errors.ts'
import { resolvePaths } from '../../paths.ts'
import { formatSize } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { printJson } from '../terminal/output.ts'

interface RemovalOptions {
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly all?: boolean
}

/** `paddock contest clean|prune`: what is removed, with sizes, to standard output. */
export async function contestRemoval(step: 'clean' | 'prune', directory: string, options: RemovalOptions): Promise<number> {
  const dryRun = options.dryRun === true
  const own = { paths: resolvePaths(process.env) }
  const result =
    step === 'clean'
      ? await cleanContest(directory, own, { dryRun })
      : await pruneContest(directory, own, { dryRun, all: options.all === true })
  if (options.json === true) {
    printJson(result)
    return exitCodes.done
  }
  const { removed, bytes, bytesBefore, bytesAfter } = result
  const verb = dryRun ? 'would remove' : 'removed'
  const lines = removed.map((each) => `${verb} ${each.what} ${printable(each.path)} (${formatSize(each.bytes)})`)
  lines.push(removed.length === 0 ? 'there is nothing to remove' : `${verb} ${removed.length} in all, ${formatSize(bytes)}`)
  if (!dryRun && removed.length > 0) lines.push(`the contest had ${formatSize(bytesBefore)} before and has ${formatSize(bytesAfter)} now`)
  for (const each of lines) process.stdout.write(`${each}\n`)
  return exitCodes.done
}
