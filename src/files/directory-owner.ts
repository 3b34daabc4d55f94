import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { identify, isRunning, type ProcessIdentity } from '../system/process-identity.ts'
import { writeJson } from './atomic.ts'
import { readRegular } from './read-regular.ts'

const ownerFile = 'owner.json'

/** Marks a directory as owned by this process for as long as the process runs. */
export async function own(directory: string): Promise<void> {
  await writeJson(path.join(directory, ownerFile), await identify(process.pid))
}

/**
 * Returns the state of a directory's owner. `making`: the directory does not yet contain anything but an unfinished note. `nobody`: the
 * owner's process is gone, or the note cannot be read. `unknown`: the directory has content but no note.
 */
export async function ownerState(directory: string): Promise<'running' | 'making' | 'nobody' | 'unknown'> {
  const read = await readRegular(path.join(directory, ownerFile), 4_096)
  if (!read.ok) {
    if (read.why !== 'missing') return 'nobody'
    // The note is first written under a temporary name.
    const entries = await readdir(directory).catch(() => [])
    return entries.every((each) => each.startsWith(`.${ownerFile}.`)) ? 'making' : 'unknown'
  }
  const owner = parse(read.bytes.toString('utf8'))
  return owner !== null && (await isRunning(owner)) ? 'running' : 'nobody'
}

function parse(text: string): ProcessIdentity | null {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessIdentity>
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null
  } catch {
    return null
  }
}
