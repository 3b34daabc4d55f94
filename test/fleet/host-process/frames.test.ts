import { connect, createServer, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Frames, framesOf } from '../../../src/fleet/host-process/host-frames.ts'
import { type ToHost, toHost } from '../../../src/fleet/host-process/host-protocol.ts'
import { temporary } from '../../support/temporary.ts'

const frame: fc.Arbitrary<ToHost> = fc.oneof(
  fc.record({ type: fc.constant('hello' as const), version: fc.integer() }),
  fc.record({ type: fc.constant('tail' as const), job: fc.string({ maxLength: 64, unit: 'grapheme-ascii' }) }),
  fc.record({
    type: fc.constant('run' as const),
    job: fc.string({ maxLength: 64, unit: 'grapheme-ascii' }),
    slot: fc.integer({ min: 1 }),
    prompt: fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed()),
    manifest: fc.constant({ name: 'echo', agent: 'command' }),
    conversation: fc.option(fc.string()),
  }),
)

/** Returns both ends of a connection, and the frames that the second one `heard`. */
async function pair(
  directory: string,
): Promise<{ socket: Socket; sender: Frames<ToHost>; heard: ToHost[]; closed: Promise<void>; server: Server }> {
  const heard: ToHost[] = []
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    framesOf(socket, toHost, { frame: (each) => void heard.push(each), close: resolve })
  })
  await new Promise<void>((listening) => server.listen(`${directory}/s`, listening))
  const socket = connect(`${directory}/s`)
  const sender = framesOf<typeof toHost, ToHost>(socket, toHost, { frame: () => undefined, close: () => undefined })
  return { socket, sender, heard, closed, server }
}

test('frames come out as they went in, up to the first bytes that are not one', async () => {
  const spoiled = fc.oneof(fc.string({ unit: 'binary' }), fc.json()).filter((each) => !toHost.safeParse(parsed(each)).success)
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 5 }), spoiled, async (all, junk) => {
      await using at = await temporary()
      const { socket, sender, heard, closed, server } = await pair(at.path)
      for (const each of all) sender.send(each)
      socket.write(`${junk}\n`)
      sender.send({ type: 'end', now: true })
      await closed
      server.close()
      expect(heard).toEqual(all)
    }),
    { numRuns: 60 },
  )
})

test('a reader that never reads is cut off before its frames fill the memory', async () => {
  await using at = await temporary()
  const { sender, socket, server } = await pair(at.path)
  await new Promise((resolve) => socket.once('connect', resolve))
  const { promise: deaf, resolve } = Promise.withResolvers<Socket>()
  const other = createServer((each) => resolve(each.pause()))
  await new Promise<void>((listening) => other.listen(`${at.path}/deaf`, listening))
  const talker = connect(`${at.path}/deaf`)
  const frames = framesOf<typeof toHost, ToHost>(talker, toHost, { frame: () => undefined, close: () => undefined })
  const listener = await deaf
  let sent = 0
  for (; !talker.destroyed && sent < 100; sent++) frames.send({ type: 'tail', job: 'x'.repeat(1024 * 1024) })
  expect(sent).toBeLessThan(25)
  listener.destroy()
  sender.destroy()
  for (const each of [server, other]) each.close()
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
