import { readFile, utimes, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { utf8Text } from '../../../base/text.ts'
import { writeJson } from '../../../files/atomic.ts'
import { storedOrNull } from '../../../files/stored-json.ts'
import type { SealedFile } from '../../seal/seal-schema.ts'
import { noTime } from '../../seal/unseal.ts'
import { type FoundOrder, findOrders, withoutOrders } from './find-orders.ts'

const maxFileBytes = 1024 * 1024
const mostOfAll = 100
/** Text that is searched in one submission. A hostile one takes up to three seconds for each MiB. */
const mostBytes = 32 * 1024 * 1024

const toldOrdersSchema = z.strictObject({
  /** The first lines, at most 100. */
  found: z.array(z.strictObject({ path: z.string(), line: z.int(), text: z.string() })),
  /** The number of further lines. */
  more: z.int(),
  /** True: the submission has more text than is searched. */
  isCut: z.literal(true).exactOptional(),
})
export type ToldOrders = z.output<typeof toldOrdersSchema>

/** The schema of judging/<n>/orders.json. */
const ordersRecordSchema = z.strictObject({
  schemaVersion: z.literal(1),
  orders: z.enum(['flag', 'redact', 'ignore']),
  /** The orders to judges in each participant's submission. */
  submissions: z.record(z.string(), toldOrdersSchema),
})
export type OrdersRecord = z.output<typeof ordersRecordSchema>

export async function writeOrders(file: string, record: OrdersRecord): Promise<void> {
  await writeJson(file, record, { mode: 0o600 })
}

/** Returns the record of a judging; null if there is none or it is not usable. */
export async function readOrders(file: string): Promise<OrdersRecord | null> {
  return storedOrNull(file, await readFile(file, 'utf8').catch(() => null), ordersRecordSchema)
}

/**
 * Finds orders to the judge in the text files of a submission of up to 1 MiB. If `isRedacted`, their lines are also emptied in the files.
 * `placeOf` returns the path that a sealed file was unpacked to.
 */
export async function lookForOrders(
  files: readonly SealedFile[],
  placeOf: (file: string) => string,
  isRedacted: boolean,
  limit: number = mostBytes,
): Promise<ToldOrders> {
  const all: FoundOrder[] = []
  let [bytes, isCut] = [0, false]
  for (const { path, size } of files) {
    if (size <= maxFileBytes) bytes += size
    isCut = bytes > limit
    if (isCut) break
    const text = size <= maxFileBytes ? utf8Text(await readFile(placeOf(path))) : null
    if (text === null || text.includes('\0')) continue
    const found = findOrders(path, text)
    all.push(...found)
    if (!isRedacted || found.length === 0) continue
    await writeFile(placeOf(path), withoutOrders(text, found))
    await utimes(placeOf(path), noTime, noTime)
  }
  return { found: all.slice(0, mostOfAll), more: Math.max(0, all.length - mostOfAll), ...(isCut ? { isCut } : {}) }
}
