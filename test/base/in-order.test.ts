import { expect, test } from 'vitest'
import { inOrder } from '../../src/base/in-order.ts'

test('results are in the order of the items, and no more than so many run at once', async () => {
  let [now, most] = [0, 0]
  const found = await inOrder([5, 1, 4, 2, 3], 2, async (item) => {
    now += 1
    most = Math.max(most, now)
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve()
    now -= 1
    return item * 10
  })
  expect(found).toEqual([50, 10, 40, 20, 30])
  expect(most).toBe(2)
  expect(await inOrder([], 4, async () => 1)).toEqual([])
})

test('a failure is passed on', async () => {
  await expect(inOrder([1, 2], 2, async (item) => (item === 2 ? Promise.reject(new Error('two')) : item))).rejects.toThrow('two')
})
