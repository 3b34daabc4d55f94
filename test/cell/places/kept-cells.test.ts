import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { duplexPair, PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CellServer } from '../../../src/cell/places/cell-server.ts'
import { followed, KeptLink } from '../../../src/cell/places/kept-link.ts'
import { openPlace, type Place } from '../../../src/cell/places/place-cells.ts'
import { cutStream, serveLink } from '../../../src/cell/places/place-link.ts'
import { ServedTrees } from '../../../src/cell/places/served-trees.ts'
import { Spool } from '../../../src/cell/places/spool.ts'
import type { CellSpec } from '../../../src/cell/plan/spec.ts'
import { connectTcp } from '../../../src/egress/connection/dial.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { carriersOf } from '../../../src/system/process-tree.ts'
import { bothWays } from '../../support/both-ways.ts'
import { until } from '../../support/processes.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'

let root: string
let project: string
let ends: (() => unknown)[]
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-places-')
  project = path.join(root, 'project')
  for (const each of [pathsBelow(root).userHome, project, path.join(root, 'far/home')]) mkdirSync(each, { recursive: true })
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end()
  await removeTree(root)
})

interface Line {
  readonly place: Place
  /** Cuts the connection. While `isDown`, no other can be opened. */
  readonly cut: () => void
  isDown: boolean
  opened: number
  readonly treesThere: () => readonly string[]
}

/** Opens a place on another side with its own files, over a connection that can be cut. */
function place(keepMs: number, connect = (): Promise<never> => Promise.reject(new Error('dialled'))): Line {
  const far = path.join(root, 'far')
  const trees = new ServedTrees(path.join(far, 'trees'))
  const server = new CellServer((home) => realCells(pathsBelow(far), { home }), trees)
  let cut = (): void => undefined
  const state = { isDown: false, opened: 0 }
  const open = async () => {
    if (state.isDown) throw new Error('down')
    state.opened++
    const [here, there] = duplexPair()
    server.connect(bothWays(there))
    cut = () => {
      for (const end of [here, there]) end.destroy()
    }
    return bothWays(here)
  }
  const line: Line = Object.assign(state, {
    cut: () => cut(),
    place: openPlace(open, {
      audit: () => undefined,
      judge: async () => undefined,
      userHome: pathsBelow(root).userHome,
      keepMs,
      scratch: path.join(root, 'scratch'),
      resolver: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
      connect,
    }),
    treesThere: () => (readdirSync(far).includes('trees') ? readdirSync(path.join(far, 'trees/trees')) : []),
  })
  ends.push(() => {
    line.isDown = true
    line.place.close()
    cut()
    return server.close()
  })
  return line
}

const spec = (script: string, more: Partial<CellSpec> = {}): CellSpec => plainSpec(project, ['bash', '-c', script], more)

describe('a cell whose connection is lost', () => {
  test('goes on without a gap or anything twice, in both directions', async () => {
    const line = place(60_000)
    const given = Buffer.from(Array.from({ length: 300_000 }, (_, at) => `${at}\n`).join(''))
    const cell = await line.place.start(spec('tee /tmp/given; sha256sum </tmp/given >&2'), { stdin: 'pipe' })
    const [stdout, stderr] = [buffer(cell.stdout), text(cell.stderr)]
    const cuts = setInterval(line.cut, 40)
    for (let at = 0; at < given.length; at += 50_000) {
      if (cell.stdin?.write(given.subarray(at, at + 50_000)) === false) await once(cell.stdin, 'drain')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    cell.stdin?.end()
    await until(() => line.opened > 5)
    clearInterval(cuts)
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
    expect((await stdout).equals(given)).toBe(true)
    expect(await stderr).toBe(`${hash('sha256', given)}  -\n`)
    expect(line.opened).toBeGreaterThan(5)
  })

  test('ends while nobody can reach it, and what it has left comes as soon as somebody can', async () => {
    const line = place(60_000)
    writeFileSync(path.join(project, 'old'), 'old\n')
    const cell = await line.place.start(spec('echo before; sleep 0.3; echo new >new; rm old; echo after; exit 4'), { stdin: 'none' })
    const output = text(cell.stdout)
    line.isDown = true
    line.cut()
    await until(() => carriersOf(cell.id).length === 0)
    expect(readdirSync(project)).toEqual(['old'])
    line.isDown = false
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 4 })
    expect(await output).toBe('before\nafter\n')
    expect(readdirSync(project)).toEqual(['new'])
    expect(readFileSync(path.join(project, 'new'), 'utf8')).toBe('new\n')
    await until(() => line.treesThere().length === 0)
  })

  test('is ended after its time, with all its processes', async () => {
    const line = place(300)
    const cell = await line.place.start(spec('trap "" TERM HUP; echo ready; sleep 1000'), { stdin: 'none' })
    await once(cell.stdout, 'data')
    line.isDown = true
    line.cut()
    expect((await cell.done).ending).toMatchObject({ kind: 'start-failed', message: expect.stringContaining('was lost') })
    await until(() => carriersOf(cell.id).length === 0)
  })

  test('is given up at once by a caller who kills it', async () => {
    const line = place(60_000)
    const cell = await line.place.start(spec('sleep 1000'), { stdin: 'none' })
    line.isDown = true
    line.cut()
    cell.kill()
    expect((await cell.done).ending).toEqual({ kind: 'cancelled' })
    line.isDown = false
    await until(() => carriersOf(cell.id).length === 0)
  })

  test('reaches other machines again through home', async () => {
    const host = createServer((_, response) => void response.end('served\n')).listen(0, '127.0.0.1')
    await once(host, 'listening')
    ends.push(() => host.close())
    const { port } = host.address() as AddressInfo
    const line = place(60_000, ((_: unknown, signal: AbortSignal) =>
      connectTcp({ address: '127.0.0.1', family: 4, port }, signal)) as unknown as () => Promise<never>)
    const ask = 'curl -sS http://a.example/; read -r; curl -sS http://a.example/'
    const entries = [{ host: 'a.example', ports: [80], internal: false, source: 'user' as const }]
    const cell = await line.place.start(spec(ask, { egress: { mode: 'allowlist', entries } }), { stdin: 'pipe' })
    await once(cell.stdout, 'data')
    line.cut()
    await until(() => line.opened === 2)
    cell.stdin?.end('go\n')
    expect(await text(cell.stdout)).toBe('served\n')
    expect((await cell.done).egress).toMatchObject({ connections: 2, reached: [{ host: 'a.example', port: 80 }] })
  })
})

describe('bytes of the other side', () => {
  /** Opens a link whose other side sends `bytes` in parts of this length, and cuts off the stream after each. */
  function cutting(bytes: Buffer, part: number): KeptLink {
    const [here, there] = duplexPair()
    const server = serveLink(bothWays(there), (stream, headers) => {
      const from = Number(new URL(headers[':path'] ?? '', 'http://cells').searchParams.get('from'))
      stream.respond({ ':status': from <= bytes.length ? 200 : 404 })
      if (from < bytes.length) stream.write(bytes.subarray(from, from + part), () => cutStream(stream))
      else stream.end()
    })
    const link = new KeptLink(
      async () => bothWays(here),
      0,
      () => undefined,
    )
    ends.push(() => {
      link.close()
      server.destroy()
    })
    return link
  }

  test('are asked for again where a stream was cut off although the connection goes on', async () => {
    const whole = await text(followed(cutting(Buffer.from('0123456789'), 3), () => '/spool'))
    expect(whole).toBe('0123456789')
  })

  test('are not asked for without end if nothing comes', async () => {
    const nothing = followed(cutting(Buffer.from('0'), 0), () => '/spool')
    await expect(nothing.next()).rejects.toThrow('close')
  })
})

describe('a spool', () => {
  test('gives the bytes that were not acknowledged again, and stops its source at the bound', async () => {
    const source = new PassThrough()
    const spool = new Spool(source, 6)
    const first = spool.from(0)
    for (const part of ['abc', 'def', 'ghi']) {
      expect(source.isPaused()).toBe(false)
      source.write(part)
      expect(String((await first.next()).value)).toBe(part)
    }
    expect(source.isPaused()).toBe(true)
    spool.acknowledge(3)
    expect(source.isPaused()).toBe(false)
    source.end()
    expect(await text(spool.from(4))).toBe('efghi')
    await expect(spool.from(2).next()).rejects.toThrow('not kept')
    await expect(spool.from(10).next()).rejects.toThrow('not kept')
    await expect(spool.from(Number.NaN).next()).rejects.toThrow('not kept')
    spool.acknowledge(1_000)
    expect(await text(spool.from(9))).toBe('')
  })
})
