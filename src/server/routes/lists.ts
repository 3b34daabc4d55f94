import * as z from 'zod'
import { Refusal } from '../problem.ts'

/** The paging options of a list. */
export const listQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Maximum number of items.'),
  cursor: z.string().max(512).optional().describe('`next` of the previous page.'),
}

/** Returns the schema of one page of a list. */
export function pageOf<T extends z.ZodType>(
  item: T,
): z.ZodObject<{ items: z.ZodArray<T>; next: z.ZodNullable<z.ZodString>; asOf: z.ZodInt }> {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    asOf: z.int().describe('The id of the last event that is reflected in the items. Follow the events after it.'),
  })
}

/** Returns the cursor that continues after a key. */
export function cursorAfter(key: string): string {
  return Buffer.from(key).toString('base64url')
}

/** Returns the key in a cursor; null without a cursor. Throws BAD_INPUT if the text is not a cursor. */
export function keyOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const key = Buffer.from(cursor, 'base64url').toString()
  if (cursorAfter(key) !== cursor)
    throw new Refusal('BAD_INPUT', 'query.cursor: this is not a cursor.', { hint: 'Pass `next` of the page before unchanged' })
  return key
}

/** Returns one page of a list in memory that is ordered by a key. */
export function page<T>(
  all: readonly T[],
  key: (item: T) => string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): { readonly items: T[]; readonly next: string | null } {
  const after = keyOf(query.cursor)
  const rest = all.filter((each) => after === null || key(each) > after).sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const items = rest.slice(0, query.limit)
  const last = items.at(-1)
  return { items, next: last === undefined || rest.length === items.length ? null : cursorAfter(key(last)) }
}
