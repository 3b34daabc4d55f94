import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openReceiver } from '../../support/receiver.ts'
import { temporary } from '../../support/temporary.ts'

const kills = 25
/** The number of events. The last one is of a kind that is sent. */
const count = 3_000

test('a server that is killed again and again sends each event, in order, and only the one under way twice', async () => {
  await using directory = await temporary()
  await using receiver = await openReceiver((response) => void setTimeout(Math.random() * 3).then(() => response.end()))
  const start = () =>
    spawn(
      process.execPath,
      [fileURLToPath(new URL('./sending-process.ts', import.meta.url)), directory.at('data'), String(receiver.port), String(count)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
  let killed = 0
  for (; killed < kills; killed++) {
    const child = start()
    const ended = once(child, 'exit')
    const before = receiver.received.length
    while (receiver.received.length === before && child.exitCode === null) await setTimeout(1)
    await setTimeout(Math.random() * 100)
    child.kill('SIGKILL')
    await ended
  }
  const last = start()
  expect(String((await once(last.stdout, 'data'))[0])).toBe('sent\n')
  last.kill('SIGKILL')
  const ids = receiver.ids()
  const inOrder = ids.filter((each, index) => each !== ids[index - 1])
  const wanted = Array.from({ length: count }, (_, index) => index + 1).filter((each) => each > 1 && (each - 1) % 3 !== 0)
  expect(inOrder).toEqual(wanted)
  expect(ids.length - inOrder.length).toBeLessThanOrEqual(killed)
})
