import path from 'node:path'
import { formatSize } from '../../base/quantities.ts'
import { listed, printableName } from '../../base/text.ts'
import { WalkTooLarge, walk } from '../../files/walk.ts'
import type { Contest } from '../config/brief.ts'
import { maxDepth, maxPathBytes } from '../seal/seal.ts'
import { boundsOf } from '../seal/seal-bounds.ts'
import type { Finding } from './lint-finding.ts'

const mostShown = 3

/**
 * Returns findings about files that sealing would leave out: required outputs that no sealed file can match, and entries of the oracle that
 * are not sealed. Reads only names. `sizes`: whether to check the size of the oracle as well, which a trial that seals the oracle does
 * itself.
 */
export async function lostAtSealing(contest: Contest, sizes: boolean): Promise<Finding[]> {
  return [...unmatchable(contest.config.outputs.required), ...(await lostOfOracle(contest, sizes))]
}

/** Returns findings about required patterns that never match, because seals contain only regular files with plain paths. */
function unmatchable(required: readonly string[]): Finding[] {
  return [...required.entries()].flatMap(([index, pattern]) => {
    const plain = path.posix.normalize(pattern).replace(/\/$/, '')
    const why = pattern.endsWith('/')
      ? `${pattern} is a directory, and only files are sealed: write ${plain}/**`
      : plain !== pattern
        ? `no sealed file is called ${pattern}: write ${plain}`
        : pattern.split('/').length > maxDepth || Buffer.byteLength(pattern) > maxPathBytes
          ? `${printableName(pattern)} is deeper than ${maxDepth} directories or longer than ${maxPathBytes} bytes, which no seal takes`
          : null
    return why === null ? [] : [{ level: 'fault' as const, key: `outputs.required[${index}]`, message: why }]
  })
}

async function lostOfOracle({ config, layout }: Contest, sizes: boolean): Promise<Finding[]> {
  if (config.oracle === undefined) return []
  const bounds = boundsOf(config.outputs)
  const lost: string[] = []
  let [files, bytes] = [0, 0]
  try {
    for await (const entry of walk(path.join(layout.root, config.oracle), { maxEntries: bounds.maxFiles * 2 + 1000, maxDepth })) {
      if (entry.kind === 'file') {
        files += 1
        bytes += entry.lstat()?.size ?? 0
      } else if (entry.kind !== 'directory' || entry.notEntered !== undefined) lost.push(printableName(entry.names.map(String).join('/')))
    }
  } catch (error) {
    if (!(error instanceof WalkTooLarge)) throw error
    files = Math.max(files, bounds.maxFiles + 1)
  }
  const about = (level: Finding['level'], message: string): Finding => ({ level, key: 'oracle', message })
  const found: Finding[] = []
  if (lost.length > 0) {
    found.push(about('advice', `has what sealing leaves out (links, FIFOs and the like): ${listed(lost, mostShown)}`))
  }
  if (!sizes) return found
  if (files > bounds.maxFiles)
    found.push(about('fault', `has more files than outputs.maxFiles (${bounds.maxFiles}) lets a submission have`))
  if (bytes > bounds.maxBytes)
    found.push(about('fault', `has ${formatSize(bytes)}, and outputs.maxBytes lets a submission have ${formatSize(bounds.maxBytes)}`))
  return found
}
