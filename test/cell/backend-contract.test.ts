import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import type { Cell, CellIo, StartCell } from '../../src/cell/cell.ts'
import { CellServer } from '../../src/cell/places/cell-server.ts'
import { openPlace } from '../../src/cell/places/place-cells.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import { connectTcp } from '../../src/egress/connection/dial.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { carriersOf } from '../../src/system/process-tree.ts'
import { bindMounts } from '../support/bind-backend/backend.ts'
import { givenUp } from '../support/bind-backend/given-up.ts'
import { bothWays } from '../support/both-ways.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const bubblewrapHere = bubblewrap({ searchPath, sessionEnv: {} })
const places = [
  { where: 'here', backend: bubblewrapHere, degraded: [] },
  { where: 'here', backend: bindMounts(), degraded: Object.keys(givenUp) },
  { where: 'at the other end of a link', backend: bubblewrapHere, degraded: [] },
]

describe.each(places)('a cell of $backend.name, $where', ({ where, backend, degraded }) => {
  let root: string
  let project: string
  let start: StartCell
  let server: Server
  let closePlace = (): void => undefined
  beforeEach(async () => {
    root = mkdtempSync('/tmp/paddock-contract-')
    const paths = pathsBelow(root)
    project = path.join(root, 'project')
    for (const each of [paths.userHome, project]) mkdirSync(each)
    server = createServer((request, response) => response.end(`served ${request.headers.host}`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const atHome = {
      resolver: { resolve: async () => [{ address: '93.184.216.34', family: 4 as const }] },
      connect: (_: unknown, signal: AbortSignal) => connectTcp({ address: '127.0.0.1', family: 4 as const, port }, signal),
    }
    if (where === 'here') start = realCells(paths, { backends: [backend], ...atHome })
    else {
      const [here, there] = duplexPair()
      // The other side can neither resolve nor dial.
      const nothing = {
        resolver: { resolve: () => Promise.reject(new Error('asked')) },
        connect: () => Promise.reject(new Error('dialled')),
      }
      const server = new CellServer((home) => realCells(paths, { backends: [backend], ...nothing, home })).connect(bothWays(there))
      const place = openPlace(async () => bothWays(here), {
        audit: () => undefined,
        judge: async () => undefined,
        userHome: '/home/user',
        ...atHome,
      })
      start = place.start
      closePlace = () => {
        place.close()
        server.destroy()
      }
    }
  })
  afterEach(async () => {
    closePlace()
    server.close()
    await removeTree(root)
  })

  const run = (script: string, more: Partial<CellSpec> = {}, io: CellIo = { stdin: 'none' }): Promise<Cell> =>
    start(plainSpec(project, ['bash', '-c', script], { degraded, env: { PATH: searchPath }, ...more }), io)
  const finished = async (cell: Cell) => {
    const [stdout, stderr, report] = await Promise.all([text(cell.stdout), text(cell.stderr), cell.done])
    return { stdout, stderr, report, ending: report.ending }
  }

  test('passes on its streams and its exit code', async () => {
    const cell = await run('read -r line; echo "read $line"; echo trouble >&2; exit 7', {}, { stdin: 'pipe' })
    cell.stdin?.end('a line\n')
    expect(await finished(cell)).toMatchObject({ stdout: 'read a line\n', stderr: 'trouble\n', ending: { kind: 'exited', code: 7 } })
  })

  test('prepares its home with programs of the system only', async () => {
    mkdirSync(path.join(project, 'bin'))
    for (const each of ['mkdir', 'rm', 'cat']) writeFileSync(path.join(project, 'bin', each), '#!/bin/sh\ntouch called\n', { mode: 0o755 })
    const cell = await run('bash -c "/bin/cat ~/.x/y; ls; echo $PATH"', {
      env: { PATH: `${project}/bin:${searchPath}` },
      homeFiles: [{ path: '.x/y', content: 'for the home\n', overwrite: true }],
    })
    expect((await finished(cell)).stdout).toBe(`for the home\nbin\n${project}/bin:${searchPath}\n`)
  })

  test('has no program beside it that renews mounts if it protects nothing', async () => {
    const { project: _, ...without } = plainSpec(project, ['sleep', '20'], { degraded, env: { PATH: searchPath }, cwd: '/tmp', mounts: [] })
    const cell = await start(without, { stdin: 'none' })
    await expect.poll(() => commandsOfChildren().filter((each) => each.includes('mounts.pl')), { timeout: 10_000 }).toEqual([])
    cell.kill()
    await cell.done
  })

  test('reads what the caller has for it, and reports 128 + the signal that ended it', async () => {
    const cell = await run('cat; kill -SEGV $$', {}, { stdin: Buffer.from('beforehand') })
    expect(await finished(cell)).toMatchObject({ stdout: 'beforehand', ending: { kind: 'exited', code: 139 } })
  })

  test('has the posture and the name of its backend in its report, and what it gave up', async () => {
    const { report } = await finished(await run('true'))
    expect(report).toMatchObject({ posture: 'L2', backend: backend.name, degraded })
    expect(report.limits.map((each) => each.limit)).toEqual((await backend.look()).limits.map((each) => each.limit))
  })

  test('sees its project and nothing else of the host', async () => {
    writeFileSync(path.join(root, 'secret'), 'x')
    writeFileSync(path.join(project, 'there'), 'x')
    const { stdout } = await finished(
      await run(`ls; cat ${root}/secret; ls ${root}; id -u; grep CapEff /proc/self/status; ps -e || ls /proc`),
    )
    expect(stdout).toMatch(/^there$/m)
    expect(stdout).not.toContain('secret')
    expect(stdout).toMatch(/CapEff:\s+0+$/m)
    expect(stdout).not.toContain(` ${process.pid} `)
  })

  test('writes to its project, and neither to the system nor to a protected path', async () => {
    mkdirSync(path.join(project, '.vscode'))
    const tries = ['made', '.envrc', '.vscode/tasks.json', '/usr/made', '/etc/made', '/made']
    const { stdout } = await finished(
      await run(tries.map((each) => `echo x 2>/dev/null > ${each} && echo ${each}`).join('; '), { strictNames: true }),
    )
    expect(stdout).toBe('made\n')
    expect([readdirSync(project).sort(), readFileSync(path.join(project, 'made'), 'utf8')]).toEqual([['.vscode', 'made'], 'x\n'])
  })

  test('reaches an allowed name through the gateway, and neither another name nor an address', async () => {
    const ask = (host: string) =>
      `(exec 3<>/dev/tcp/${host}/80 && printf 'GET / HTTP/1.0\\r\\nHost: ${host}\\r\\n\\r\\n' >&3 && cat <&3 && echo) 2>/dev/null || echo no ${host}`
    const egress = { mode: 'allowlist', entries: [{ host: 'allowed.test', ports: [80], internal: false, source: 'test' }] } as const
    const { stdout, report } = await finished(await run(['allowed.test', 'denied.test', '93.184.216.34'].map(ask).join('; '), { egress }))
    expect(stdout).toContain('served allowed.test')
    expect(stdout).toMatch(/no denied\.test\nno 93\.184\.216\.34\n$/)
    expect(report.egress).toMatchObject({ connections: 1 })
  })

  test('has no network under off', async () => {
    expect((await finished(await run('exec 3<>/dev/tcp/127.0.0.53/53 || echo none'))).stdout).toBe('none\n')
  })

  test('ends with all its processes when it is stopped', async () => {
    const cell = await run('(trap "" TERM; setsid sleep 1000 & exec sleep 1000) & echo ready; wait')
    await new Promise((resolve) => cell.stdout.once('data', resolve))
    expect(carriersOf(cell.id).length).toBeGreaterThan(0)
    cell.stop('cancelled')
    expect((await finished(cell)).ending).toEqual({ kind: 'cancelled' })
    expect(carriersOf(cell.id)).toEqual([])
  })

  test('a server in it is reached by a published port', async () => {
    // It ends after its answer was read, because the end of the cell closes all connections to it.
    const serve = `exec perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => 3000) or die; $| = 1; print "ready\\n"; my $c = $s->accept; print $c "from inside\\n"; shutdown $c, 1; <$c>'`
    const cell = await run(serve, { publish: [3000], egress: { mode: 'allowlist', entries: [] } })
    await new Promise((resolve) => cell.stdout.once('data', resolve))
    expect(await text(await cell.connectInside(3000))).toBe('from inside\n')
    await finished(cell)
  })

  test('leaves nothing on the host', async () => {
    const cell = await run('true')
    await finished(cell)
    expect(readdirSync(project)).toEqual([])
    for (const each of [`state/cells/${cell.id}.jsonl`, `state/run/${cell.id}`]) expect(existsSync(path.join(root, each))).toBe(false)
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(cell.id)
  })

  test('a program that is not there is reported as a shell does', async () => {
    const ended = await finished(await start(plainSpec(project, ['no-such-program'], { degraded }), { stdin: 'none' }))
    expect([ended.ending, ended.stderr]).toEqual([{ kind: 'exited', code: 127 }, 'paddock: no-such-program: not found in the cell\n'])
  })

  test.each(degraded)('does not start unless %s is given up by name', async (name) => {
    await expect(run('true', { degraded: degraded.filter((each) => each !== name) })).rejects.toMatchObject({
      code: 'UNENFORCEABLE',
      message: expect.stringContaining(name),
    })
    expect(readdirSync(project)).toEqual([])
  })
})

function commandsOfChildren(): readonly string[] {
  const tasks = readdirSync('/proc/self/task').map((each) => readFileSync(`/proc/self/task/${each}/children`, 'utf8'))
  return tasks
    .flatMap((each) => each.split(' ').filter(Boolean))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
}
