import { rmSync } from 'node:fs'
import * as z from 'zod'
import { PaddockError } from '../../errors.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'
import { parseObject } from '../document.ts'
import { waitForLock } from '../refresh/lock.ts'
import { leftHomes, recover } from './adopt.ts'
import { makeVolume, type Volume } from './volume.ts'

const holderSchema = z.object({ schemaVersion: z.literal(1), pid: z.int(), what: z.string().max(200), since: z.iso.datetime() })

/**
 * Takes a volume for this process alone, until it is disposed of; the kernel gives it back for a process that was killed, and what that one had
 * lent to a cell is taken back first. Makes the volume.
 * @throws PaddockError VOLUME_BUSY, with who holds it.
 */
export async function holdVolume(volume: Volume, what: string, patienceMs: number): Promise<Disposable> {
  const held = await tryHold(volume, what, patienceMs)
  if (held !== null) return held
  const { agent, name } = volume
  const holder = await holderOf(volume)
  const who = holder === null ? 'another process' : `${holder.what}, process ${holder.pid}, since ${holder.since}`
  throw new PaddockError('VOLUME_BUSY', `The volume "${name}" of ${agent} is in use by ${who}.`, {
    hint: `wait for it, or log in to another one with: paddock login ${agent} --volume NAME`,
  })
}

/** The same; null where somebody else holds it. */
export async function tryHold(volume: Volume, what: string, patienceMs: number): Promise<Disposable | null> {
  await makeVolume(volume)
  const lock = await waitForLock(volume.lockFile, patienceMs)
  if (lock === null) return null
  const holder = { schemaVersion: 1, pid: process.pid, what, since: new Date().toISOString() }
  await writeJson(volume.holderFile, holder, { mode: 0o600 }).catch(() => undefined)
  let held = true
  try {
    await recover(volume)
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
  return {
    [Symbol.dispose]() {
      if (!held) return
      held = false
      rmSync(volume.holderFile, { force: true })
      lock[Symbol.dispose]()
    },
  }
}

/** Takes back into a volume what killed processes had lent, where nobody holds it. */
export async function settleVolume(volume: Volume): Promise<void> {
  if ((await leftHomes(volume)).length > 0) (await tryHold(volume, 'a look', 0))?.[Symbol.dispose]()
}

async function holderOf({ holderFile }: Volume): Promise<z.output<typeof holderSchema> | null> {
  const read = await readRegular(holderFile, 4_096)
  const parsed = holderSchema.safeParse(read.ok ? parseObject(read.bytes.toString('utf8')) : null)
  return parsed.success ? parsed.data : null
}
