import fastify from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { pageOf } from '../../src/server/routes/lists.ts'
import { pageText } from '../../src/server/routes/page-text-routes.ts'

interface Item {
  name: string
  more?: string
}

async function served(items: () => readonly Item[]) {
  let checked = 0
  const item = z.object({
    name: z.string().refine((name) => {
      checked += 1
      return name !== 'bad'
    }),
  })
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  app.setSerializerCompiler(serializerCompiler)
  app.get('/', { schema: { response: { 200: pageOf(item) } }, serializerCompiler: pageText(item) }, async () => ({
    ...{ items: [...items()], next: null, asOf: 7 },
  }))
  return { get: () => app.inject('/'), checked: () => checked }
}

test('an item is checked and written once, a page is what the schema says, and a new object is checked again', async () => {
  const [one, two] = [{ name: 'é"1', more: 'hidden' }, { name: '2' }]
  let items: Item[] = [one, two]
  const { get, checked } = await served(() => items)
  const page = { items: [{ name: 'é"1' }, { name: '2' }], next: null, asOf: 7 }
  for (let n = 0; n < 3; n += 1) expect((await get()).json()).toEqual(page)
  expect(checked()).toBe(2)
  expect((await get()).headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(JSON.stringify(page))),
  })
  items = [two, { name: '3' }]
  expect((await get()).json()).toEqual({ ...page, items: [{ name: '2' }, { name: '3' }] })
  expect(checked()).toBe(3)
  items = [two]
  expect((await get()).json().items).toEqual([{ name: '2' }])
  items = []
  expect((await get()).json()).toEqual({ ...page, items: [] })
})

test('a page with an item that its schema refuses is an error each time', async () => {
  const { get } = await served(() => [{ name: 'good' }, bad])
  const bad = { name: 'bad' }
  expect([(await get()).statusCode, (await get()).statusCode]).toEqual([500, 500])
})
