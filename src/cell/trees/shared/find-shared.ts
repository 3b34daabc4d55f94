import { fileURLToPath } from 'node:url'
import { walk } from '../../../files/walk.ts'
import { hostProgram } from '../../../system/host-program.ts'
import { spawn } from '../../../system/start.ts'
import type { LinkedName } from '../../plan/shared-files.ts'

export interface LinkedNames {
  readonly linked: readonly LinkedName[]
  /** Names that a killed Paddock left when it made own copies. */
  readonly left: readonly string[]
}

const program = fileURLToPath(new URL('./find-shared.pl', import.meta.url))
const bounds = { maxEntries: Number.MAX_SAFE_INTEGER, maxDepth: 200 }

/**
 * Finds all names of files with several names in these directories. Every file is looked at, because a link that somebody makes elsewhere
 * changes nothing in the directory of the file. Perl does it in another process, because this one plans the cell meanwhile.
 */
export async function linkedNames(roots: readonly string[]): Promise<LinkedNames> {
  const perl = process.platform === 'linux' ? hostProgram('perl') : null
  return perl === null ? walked(roots) : listed(perl, roots)
}

async function listed(perl: string, roots: readonly string[]): Promise<LinkedNames> {
  const child = spawn(perl, ['-t', program, ...roots], { stdio: ['ignore', 'pipe', 'ignore'], cwd: '/', env: {} })
  const ended = new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await ended
  const parts = Buffer.concat(chunks).toString('latin1').split('\0')
  if (parts.at(-2) !== 'end') throw new Error('the search for files with several names was interrupted')
  const linked: LinkedName[] = []
  const left: string[] = []
  for (const part of parts) {
    const [, device, inode, names, bytes, path] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/s.exec(part) ?? []
    if (path !== undefined) linked.push({ file: `${device} ${inode}`, names: Number(names), bytes: Number(bytes), path })
    else if (part.startsWith('left ')) left.push(part.slice(5))
  }
  return { linked, left }
}

async function walked(roots: readonly string[]): Promise<LinkedNames> {
  const found = new Map<string, LinkedName>()
  for (const root of roots)
    for await (const entry of walk(root, bounds)) {
      const stat = entry.kind === 'file' ? entry.lstat() : null
      if (stat === null || stat.nlink < 2) continue
      const path = [root, ...entry.names.map((each) => each.toString('latin1'))].join('/')
      found.set(path, { file: `${stat.dev} ${stat.ino}`, names: stat.nlink, bytes: stat.blocks * 512, path })
    }
  return { linked: [...found.values()], left: [] }
}
