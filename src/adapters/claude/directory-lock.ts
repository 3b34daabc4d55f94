import { mkdir, rm, rmdir, stat, utimes } from 'node:fs/promises'
import * as z from 'zod'
import { codeOf } from '../../base/errors.ts'
import { parseObject } from '../../credentials/login-document.ts'
import { writeJson } from '../../files/atomic.ts'
import { readRegular } from '../../files/read-regular.ts'

/** The age, in Claude Code 2.1, after which a lock that was not touched counts as abandoned. */
const staleMs = 60_000
const touchMs = 5_000

const heldSchema = z.strictObject({
  schemaVersion: z.literal(1),
  locks: z.array(z.strictObject({ place: z.string(), inode: z.number(), born: z.number() })).max(16),
})
type Held = z.output<typeof heldSchema>['locks'][number]

/**
 * Takes the locks that Claude Code takes before it refreshes: directories whose modification time shows that their holder is alive (like
 * the npm package proper-lockfile). Takes all or none; null if another process holds one. A place that cannot have a lock needs none. The
 * locks are recorded in `markerFile`, so that Paddock recognises locks of a killed Paddock as its own. Callers must exclude each other.
 */
export async function takeDirectoryLocks(places: readonly string[], markerFile: string): Promise<AsyncDisposable | null> {
  const left = await readHeld(markerFile)
  const taken: Held[] = []
  const release = async (): Promise<void> => {
    for (const { place } of taken.splice(0).reverse()) await rmdir(place).catch(() => undefined)
    await rm(markerFile, { force: true })
  }
  for (const place of places) {
    const got = await take(place, left)
    if (got === 'busy') {
      await release()
      return null
    }
    if (got === 'no room') continue
    taken.push(got)
    await writeJson(markerFile, { schemaVersion: 1, locks: taken }, { mode: 0o600 }).catch(() => undefined)
  }
  const timer = setInterval(() => {
    const now = new Date()
    for (const { place } of taken) void utimes(place, now, now).catch(() => undefined)
  }, touchMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await release()
    },
  }
}

async function take(place: string, left: readonly Held[]): Promise<Held | 'busy' | 'no room'> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await mkdir(place, { mode: 0o700 })
      return await identify(place)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') return 'no room'
    }
    const facts = await stat(place).catch(() => null)
    if (facts === null) continue
    const ours = left.some((each) => each.place === place && each.inode === facts.ino && each.born === facts.birthtimeMs)
    if (!ours && Date.now() - facts.mtimeMs < staleMs) return 'busy'
    await rmdir(place).catch(() => undefined)
  }
  return 'busy'
}

async function identify(place: string): Promise<Held> {
  const { ino, birthtimeMs } = await stat(place)
  return { place, inode: ino, born: birthtimeMs }
}

async function readHeld(markerFile: string): Promise<readonly Held[]> {
  const read = await readRegular(markerFile, 65_536)
  const parsed = heldSchema.safeParse(read.ok ? parseObject(read.bytes.toString('utf8')) : null)
  return parsed.success ? parsed.data.locks : []
}
