import type { FastifySchema } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type * as z from 'zod'
import { pageOf } from './lists.ts'

/** Returns a function that returns the earlier result for as long as all its arguments are the same. `key` and the result never change. */
export function remembered<K extends object, A extends readonly unknown[], R>(
  make: (key: K, ...about: A) => R,
): (key: K, ...about: A) => R {
  const known = new WeakMap<K, { readonly about: A; readonly made: R }>()
  return (key, ...about) => {
    const before = known.get(key)
    if (before?.about.every((each, index) => each === about[index])) return before.made
    const made = make(key, ...about)
    known.set(key, { about, made })
    return made
  }
}

/** A page, and the text that was made of it. */
interface Written {
  readonly items: readonly object[]
  readonly rest: string
  readonly bytes: Buffer
}

/** The number of pages of a list whose text is kept. */
const mostKept = 8

/**
 * Returns the serializer for the pages of a list whose items never change: each item is checked against its schema and written as text once,
 * however many pages contain it. A page with the items of an earlier one has its text.
 */
export function pageText(item: z.ZodType): FastifySerializerCompiler<FastifySchema> {
  const serializer = (schema: z.ZodType) => serializerCompiler({ schema, method: 'GET', url: '' })
  const textOf = remembered<object, [], string>(serializer(item))
  const restText = serializer(pageOf(item).omit({ items: true }))
  const kept: Written[] = []
  const write = (items: readonly object[], rest: string): Buffer => {
    const known = kept.find((each) => each.rest === rest && isSame(each.items, items))
    if (known !== undefined) return known.bytes
    const bytes = Buffer.from(`{"items":[${items.map((each) => textOf(each)).join(',')}],${rest.slice(1)}`)
    kept.unshift({ items, rest, bytes })
    kept.length = Math.min(kept.length, mostKept)
    return bytes
  }
  return (route) => {
    if (route.httpStatus !== '200') return serializerCompiler(route as Parameters<typeof serializerCompiler>[0])
    // Fastify also accepts bytes, which its type does not mention.
    return ({ items, ...rest }: { readonly items: readonly object[] }) => write(items, restText(rest)) as unknown as string
  }
}

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index])
}
