import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Server } from 'node:net'
import path from 'node:path'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import type { Cell } from '../../../src/cell/cell.ts'
import { CellServer } from '../../../src/cell/places/cell-server.ts'
import type { Transport } from '../../../src/cell/places/eager-duplex.ts'
import { openPlace, type Place } from '../../../src/cell/places/place-cells.ts'
import { serveLink } from '../../../src/cell/places/place-link.ts'
import type { PlaceMeans } from '../../../src/cell/places/placed-cell.ts'
import { ServedTrees } from '../../../src/cell/places/served-trees.ts'
import { type CellPlan, plan } from '../../../src/cell/plan/plan.ts'
import type { CellSpec } from '../../../src/cell/plan/spec.ts'
import { connectTcp } from '../../../src/egress/connection/dial.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { Secret } from '../../../src/secrets/secret.ts'
import { carriersOf } from '../../../src/system/process-tree.ts'
import { bothWays } from '../../support/both-ways.ts'
import { https1, internet } from '../../support/inspect-lab.ts'
import { until } from '../../support/processes.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'
import { machine } from '../machine.ts'

const canary = 'sk-canary-of-a-real-key-0123456789'
const placeholder = 'sk-placeholder-placeholder-0123456'

let root: string
let project: string
let internetHere: Server
let seen: string[]
let ends: (() => void)[]
beforeEach(async () => {
  root = mkdtempSync('/tmp/paddock-places-')
  project = path.join(root, 'project')
  for (const each of [pathsBelow(root).userHome, project]) mkdirSync(each)
  seen = []
  ends = []
  const host = https1((request, response) => {
    seen.push(`${request.url} ${request.headers['x-api-key'] ?? ''}`)
    response.end(`served ${request.headers['x-api-key'] ?? ''}\n`)
  })
  internetHere = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    host(socket)
  }).listen(0, '127.0.0.1')
  await once(internetHere, 'listening')
})
afterEach(async () => {
  for (const end of ends) end()
  internetHere.close()
  await removeTree(root)
})

/** Opens a place that another side serves, with what passed between them. */
function placeWith(
  serve: (transport: Transport) => ServerHttp2Session,
  judge: PlaceMeans['judge'] = async () => undefined,
  scratch?: string,
): {
  place: Place
  wire: Buffer[]
  server: ServerHttp2Session
  cut: () => void
} {
  const [here, there] = duplexPair()
  const wire: Buffer[] = []
  there.on('data', (chunk: Buffer) => wire.push(chunk))
  const server = serve(bothWays(there))
  const { port } = internetHere.address() as AddressInfo
  const place = openPlace(async () => bothWays(here), {
    audit: () => undefined,
    judge,
    userHome: pathsBelow(root).userHome,
    ...(scratch === undefined ? {} : { scratch }),
    resolver: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
    connect: (_, signal) => connectTcp({ address: '127.0.0.1', family: 4, port }, signal),
    extraRoots: [internet.certificate],
  })
  ends.push(
    () => place.close(),
    () => server.destroy(),
  )
  const cut = (): void => {
    for (const end of [here, there]) end.destroy()
  }
  return { place, wire, server, cut }
}

/** Opens a place on this machine whose other side can neither resolve nor dial. */
function realPlace(judge?: PlaceMeans['judge']) {
  const nothing = { resolver: { resolve: () => Promise.reject(new Error('asked')) }, connect: () => Promise.reject(new Error('dialled')) }
  return placeWith((transport) => new CellServer((home) => realCells(pathsBelow(root), { ...nothing, home })).connect(transport), judge)
}

/** Opens a place whose other side has its own directories and no file of home. */
function farPlace() {
  const far = path.join(root, 'far')
  mkdirSync(path.join(far, 'home'), { recursive: true })
  const trees = new ServedTrees(path.join(far, 'trees'))
  const plans: CellPlan[] = []
  const serve = (transport: Transport) => new CellServer((home) => realCells(pathsBelow(far), { home }), trees).connect(transport)
  const made = placeWith(serve, async ({ plan }) => void plans.push(plan), path.join(root, 'scratch'))
  return {
    ...made,
    plans,
    treesThere: () => (readdirSync(path.join(far, 'trees')).includes('trees') ? readdirSync(path.join(far, 'trees/trees')) : []),
  }
}

const spec = (script: string, more: Partial<CellSpec> = {}): CellSpec => plainSpec(project, ['bash', '-c', script], more)
const withKey: Partial<CellSpec> = {
  env: { KEY: placeholder },
  egress: { mode: 'allowlist', entries: [{ host: 'a.example', ports: [443], internal: false, source: 'user' }] },
  credentials: [
    {
      name: 'KEY',
      hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
      places: [{ kind: 'header', name: 'x-api-key' }],
      placeholders: () => [placeholder],
      secret: async () => Secret.fromText('KEY', canary),
    },
  ],
}

async function outcome(cell: Cell) {
  const [stdout, stderr, report] = await Promise.all([text(cell.stdout), text(cell.stderr), cell.done])
  return { stdout, stderr, report }
}

describe('a cell at the other end of a link', () => {
  test('gets its credential from home, and neither the credential nor a key crosses the link', async () => {
    const { place, wire } = realPlace()
    const ask = 'curl -sS https://a.example/one -H "x-api-key: $KEY"; curl -sS http://93.184.216.34/ || curl -sS https://b.example/'
    const { stdout, report } = await outcome(await place.start(spec(ask, withKey), { stdin: 'none' }))
    expect(stdout).toBe(`served ${'*'.repeat(canary.length)}\n`)
    expect(seen).toEqual([`/one ${canary}`])
    const passed = Buffer.concat(wire).toString('latin1')
    expect(passed).toContain('BEGIN CERTIFICATE')
    for (const secret of [canary, 'PRIVATE KEY']) expect(passed).not.toContain(secret)
    expect(report.egress).toMatchObject({ connections: 1, reached: [{ host: 'a.example', port: 443 }], requests: { allowed: 1 } })
    expect(report.egress.denied).toContainEqual(expect.objectContaining({ host: 'b.example', port: null, reason: 'not-allowed' }))
  })

  test('works on its own files there, and what it has written comes back', async () => {
    const { place, plans, treesThere } = farPlace()
    const [kept, shown] = [path.join(root, 'kept'), path.join(root, 'shown')]
    for (const each of [kept, shown]) mkdirSync(each)
    writeFileSync(path.join(project, 'old'), 'old\n')
    writeFileSync(path.join(project, 'secret'), 'secret\n')
    writeFileSync(path.join(shown, 'file'), 'shown\n')
    const single = path.join(root, 'größe.txt')
    writeFileSync(single, 'single\n')
    const cell = await place.start(
      spec(
        'read -r; grep -c root /etc/passwd; cat old secret /data/file /single && rm old && echo new >new && mkdir a && ln -s ../new a/link && echo home >~/state && exit 3',
        {
          home: { kind: 'persistent', path: kept },
          mounts: [
            { source: shown, target: '/data', access: 'ro' },
            { source: single, target: '/single', access: 'ro', within: root },
          ],
          masks: [
            { source: path.join(project, 'secret'), kind: 'file' },
            { source: '/etc/passwd', kind: 'file' },
          ],
        },
      ),
      { stdin: 'pipe' },
    )
    expect(treesThere()).toHaveLength(4)
    const sources = plans.flatMap(({ filesystem }) => filesystem.flatMap((each) => ('source' in each ? [each.source] : [])))
    expect(sources.filter((each) => each !== undefined && [project, kept, shown].some((home) => each.startsWith(home)))).toEqual([])
    expect(readdirSync(project).toSorted()).toEqual(['old', 'secret'])
    cell.stdin?.end('go\n')
    const { stdout, report } = await outcome(cell)
    expect([stdout, report.ending]).toEqual(['1\nold\nshown\nsingle\n', { kind: 'exited', code: 3 }])
    expect(readdirSync(project, { recursive: true }).toSorted()).toEqual(['a', 'a/link', 'new', 'secret'])
    expect([readFileSync(path.join(project, 'new'), 'utf8'), readFileSync(path.join(project, 'secret'), 'utf8')]).toEqual([
      'new\n',
      'secret\n',
    ])
    expect(readFileSync(path.join(kept, 'state'), 'utf8')).toBe('home\n')
    expect([treesThere(), existsSync(path.join(root, 'scratch')) ? readdirSync(path.join(root, 'scratch')) : []]).toEqual([[], []])
  })

  test('gets nothing that a mask or the view of a git configuration keeps from a cell', async () => {
    const { place, wire } = farPlace()
    const secret = 'swordfish4711swordfish'
    const put = (file: string, content: string): void => {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
      writeFileSync(path.join(project, file), content)
    }
    const config = `[remote "origin"]\n\turl = https://me:${secret}@git.example/r\n`
    for (const each of ['.git', 'deep/odd-name', '.git/modules/sub']) {
      put(`${each}/HEAD`, 'ref: refs/heads/main\n')
      put(`${each}/config`, config)
      put(`${each}/config.worktree`, config)
    }
    put('.env', secret)
    put('private/deep/key', secret)
    put('kept/config', 'of something else\n')
    const masks = [
      { source: path.join(project, '.env'), kind: 'file' as const },
      { source: path.join(project, 'private'), kind: 'directory' as const },
    ]
    const script = 'cat .env deep/odd-name/config kept/config; ls private; echo new > new'
    const { stdout, report } = await outcome(await place.start(spec(script, { masks }), { stdin: 'none' }))
    expect([stdout, report.ending]).toEqual([
      `[remote "origin"]\n\turl = https://git.example/r\nof something else\n`,
      { kind: 'exited', code: 0 },
    ])
    expect(Buffer.concat(wire).includes(secret)).toBe(false)
    // Here, everything is as it was.
    for (const each of ['.git/config', '.git/modules/sub/config.worktree'])
      expect(readFileSync(path.join(project, each), 'utf8')).toBe(config)
    for (const each of ['.env', 'private/deep/key']) expect(readFileSync(path.join(project, each), 'utf8')).toBe(secret)
    expect(readFileSync(path.join(project, 'new'), 'utf8')).toBe('new\n')
  })

  test('is kept on the other machine with what it wrote, if home cannot write that', async () => {
    const { place, treesThere } = farPlace()
    const cell = await place.start(spec('read -r; echo work > new'), { stdin: 'pipe' })
    rmSync(project, { recursive: true })
    writeFileSync(project, 'in the way')
    cell.stdin?.end('go\n')
    const { report } = await outcome(cell)
    const { message = '' } = report.ending as { readonly message?: string }
    expect(message).toMatch(/^What the cell has written could not be brought back from the other machine: .*; it is kept there, in \/\S+$/)
    const kept = /in (\/\S+)$/.exec(message)?.[1] ?? ''
    expect(readFileSync(path.join(kept, 'new'), 'utf8')).toBe('work\n')
    expect([readFileSync(project, 'utf8'), treesThere()]).toEqual(['in the way', []])
  })

  test('changes no file of home if it is lost, and nothing stays on the other machine', async () => {
    const { place, cut, treesThere } = farPlace()
    writeFileSync(path.join(project, 'old'), 'old\n')
    const cell = await place.start(spec('echo new >new; rm old; echo ready; sleep 1000'), { stdin: 'none' })
    await once(cell.stdout, 'data')
    cut()
    expect((await cell.done).ending.kind).toBe('start-failed')
    expect(readdirSync(project)).toEqual(['old'])
    await until(() => carriersOf(cell.id).length === 0 && treesThere().length === 0)
  })

  test('is not started if a tree cannot travel', async () => {
    const { place, treesThere } = farPlace()
    const missing = spec('true', { mounts: [{ source: path.join(root, 'missing'), access: 'ro' }] })
    await expect(place.start(missing, { stdin: 'none' })).rejects.toThrow('missing')
    writeFileSync(path.join(root, 'single'), 'single')
    const single = spec('true', { mounts: [{ source: path.join(root, 'single'), access: 'rw' }] })
    await expect(place.start(single, { stdin: 'none' })).rejects.toMatchObject({ code: 'UNENFORCEABLE' })
    await expect(place.start(spec('true', { taskTree: true }), { stdin: 'none' })).rejects.toMatchObject({ code: 'UNENFORCEABLE' })
    expect(treesThere()).toEqual([])
  })

  test('ends with all its processes when the link is lost, and says so', async () => {
    const { place, cut } = realPlace()
    const cell = await place.start(spec('trap "" TERM HUP; echo ready; sleep 1000'), { stdin: 'none' })
    await once(cell.stdout, 'data')
    expect(carriersOf(cell.id).length).toBeGreaterThan(0)
    cut()
    expect([await text(cell.stdout), await text(cell.stderr)]).toEqual(['', ''])
    expect((await cell.done).ending).toEqual({
      kind: 'start-failed',
      message: 'The connection to the other machine was lost, so its cell was ended.',
    })
    await until(() => carriersOf(cell.id).length === 0)
    await expect(place.start(spec('true'), { stdin: 'none' })).rejects.toMatchObject({ code: 'CELL_FAILED' })
  })

  test('is cancelled by its caller before it starts and while it runs', async () => {
    const { place } = realPlace()
    const before = AbortSignal.abort(new Error('left'))
    await expect(place.start(spec('true'), { stdin: 'none' }, before)).rejects.toThrow('left')
    const caller = new AbortController()
    const cell = await place.start(spec('echo ready; sleep 1000'), { stdin: 'none' }, caller.signal)
    await once(cell.stdout, 'data')
    caller.abort()
    expect((await cell.done).ending).toEqual({ kind: 'cancelled' })
  })

  test('does not start if home does not want its plan', async () => {
    const plans: CellPlan[] = []
    const { place } = realPlace(async ({ plan }) => {
      plans.push(plan)
      throw new PaddockError('NOT_ALLOWED', 'not this one')
    })
    await expect(place.start(spec('touch made'), { stdin: 'none' })).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: 'not this one' })
    expect(plans).toMatchObject([{ name: 'plain', posture: 'L2', backend: 'bubblewrap', egress: { mode: 'off' } }])
    await until(() => !existsSync(path.join(root, 'state/cells')) || readdirSync(path.join(root, 'state/cells')).length === 0)
    expect(readdirSync(project)).toEqual([])
  })

  test('is refused with the sentence and the hint of the other side', async () => {
    const { place } = realPlace()
    await expect(place.start(spec('true', { posture: 'L3' }), { stdin: 'none' })).rejects.toMatchObject({
      code: 'UNENFORCEABLE',
      message: expect.stringContaining('builds no cells of that isolation level'),
      hint: expect.stringContaining('Use one of'),
    })
    await expect(place.start(spec('true', { egress: { mode: 'open', entries: [] } }), { stdin: 'none' })).rejects.toMatchObject({
      code: 'UNENFORCEABLE',
    })
  })
})

describe('another side that cheats', () => {
  /** Serves a link that answers each start with these lines, and parked streams with this token. */
  const cheat = (lines: readonly string[], onParked: (stream: ServerHttp2Stream, tokens: readonly string[]) => void = () => undefined) =>
    placeWith((transport) => {
      const tokens: string[] = []
      const parked: ServerHttp2Stream[] = []
      return serveLink(transport, async (stream, headers) => {
        if (headers[':path'] === '/egress') parked.push(stream)
        if (headers[':path'] !== '/cells') return
        const [line = ''] = String((await once(stream, 'data'))[0]).split('\n')
        tokens.push((JSON.parse(line) as { token: string }).token)
        stream.respond({ ':status': 200 })
        for (const line of lines) stream.write(`${line}\n`)
        const [first] = parked
        if (first !== undefined) onParked(first, tokens)
      })
    })
  const planned = JSON.stringify({
    event: 'planned',
    id: '0123456789ab',
    plan: plan(plainSpec('/home/ada/project', ['true']), machine(), []),
  })
  const started = '{"event":"started","hasInput":false,"notes":[]}'

  test.each([
    ['no JSON', ['{']],
    ['an event that is not known', ['{"event":"more"}']],
    ['an id with a path', [planned.replace('0123456789ab', '../../etc')]],
    ['a plan of another shape', ['{"event":"planned","id":"0123456789ab","plan":{}}']],
    ['a report of another shape', [planned, '{"event":"ended","report":{}}']],
    ['a code that is not known', [planned, '{"event":"refused","code":"__proto__","message":"no","hint":null}']],
  ])('says %s, and the start fails', async (_, lines) => {
    const { place } = cheat(lines)
    await expect(place.start(spec('true'), { stdin: 'none' })).rejects.toMatchObject({ code: 'CELL_FAILED' })
  })

  test.each([
    ['a token that nobody has', () => 'f'.repeat(64), '443'],
    ['no token', () => '', '443'],
    ['two ports', (token: string) => token, '443, 80'],
  ])('hands over a connection with %s, and nothing is dialled', async (_, tokenFrom, port) => {
    const closed = Promise.withResolvers<number>()
    const { place } = cheat([planned, started], (stream, [token = '']) => {
      stream.respond({ ':status': 200, 'x-host': 'a.example', 'x-port': port, 'x-cell': tokenFrom(token) })
      stream.once('close', () => closed.resolve(stream.rstCode))
    })
    await place.start(spec('true', withKey), { stdin: 'none' })
    expect(await closed.promise).not.toBe(0)
    expect(seen).toEqual([])
  })

  test('hands over a connection of a cell that has ended, and nothing is dialled', async () => {
    const ended = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<number>()
    const refused = '{"event":"refused","code":"CELL_FAILED","message":"it failed","hint":null}'
    const { place } = cheat([planned, refused], async (stream, [token = '']) => {
      await ended.promise
      stream.respond({ ':status': 200, 'x-host': 'a.example', 'x-port': '443', 'x-cell': token })
      stream.once('close', () => closed.resolve(stream.rstCode))
    })
    await expect(place.start(spec('true', withKey), { stdin: 'none' })).rejects.toThrow('it failed')
    ended.resolve()
    expect(await closed.promise).not.toBe(0)
    expect(seen).toEqual([])
  })
})
