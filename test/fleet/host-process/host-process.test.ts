import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDirectory } from '../../../src/files/in-directory.ts'
import { connectHost, type HostClient } from '../../../src/fleet/host-process/host-client.ts'
import { hostFileSchema } from '../../../src/fleet/host-process/host-file.ts'
import { maxFrame } from '../../../src/fleet/host-process/host-protocol.ts'
import { newId } from '../../../src/fleet/ids.ts'
import { paddock } from '../../support/cli.ts'
import { processesRunning, until } from '../../support/processes.ts'
import { type HostStage, hostStage, isAlive } from './host-stage.ts'

/** Returns a command that nothing else on the machine runs, and a function that finds it. */
const lasting = (): { readonly words: readonly string[]; isRunning(): boolean } => {
  const seconds = `${100_000 + Math.floor(Math.random() * 1e9)}`
  return { words: ['sleep', seconds], isRunning: () => processesRunning('sleep', seconds).length > 0 }
}

describe('a host process', () => {
  let at: HostStage
  let client: HostClient
  beforeAll(async () => {
    at = hostStage()
    client = await at.start()
  })
  afterAll(() => at[Symbol.asyncDispose]())

  it('runs a job once, however often it is asked for, and keeps its transcript and result', async () => {
    const command = ['sh', '-c', 'cat > seen.txt; echo x >> runs; pwd; echo two; touch ~/kept']
    const job = newId('job')
    client.send({ type: 'tail', job })
    for (let times = 0; times < 3; times++) at.run(client, command, { job })
    const result = await at.ended(job)
    expect(result).toMatchObject({ job, state: 'done', outcome: { kind: 'ran', exitCode: 0, message: null }, text: 'two', copy: null })
    expect(result.changes).toMatchObject({ created: ['runs', 'seen.txt'], modified: [], deleted: [], runsLater: [], truncated: false })
    const { work, home } = at.data.slot(1)
    expect(readFileSync(path.join(work, 'seen.txt'), 'utf8')).toBe('a prompt')
    expect(at.events(job).map(({ n, type, text }) => [n, type, text])).toEqual([
      [1, 'text', '/workspace'],
      [2, 'text', 'two'],
      [3, 'result', 'two'],
    ])
    expect(at.frames.filter((each) => each.type === 'wrote').at(-1)).toEqual({ type: 'wrote', job, events: 3 })
    expect(at.frames.filter((each) => each.type === 'accepted')).toHaveLength(3)
    expect(JSON.parse(readFileSync(at.data.job(job).cell, 'utf8'))).toMatchObject({ ending: { kind: 'exited', code: 0 } })

    at.frames.length = 0
    at.run(client, command, { job })
    client.send({ type: 'tail', job })
    await until(() => at.frames.length >= 3)
    expect(at.frames).toContainEqual({ type: 'ended', job })
    expect(at.frames).toContainEqual({ type: 'wrote', job, events: 3 })
    expect(readFileSync(path.join(work, 'runs'), 'utf8')).toBe('x\n')
    const next = await at.ended(at.run(client, ['sh', '-c', 'ls ~/kept; cat runs']))
    expect([next.text, next.changes?.created]).toEqual(['x', []])
    expect(readdirSync(home)).toContain('kept')
  })

  it('keeps what only its user may read', () => {
    const mode = (file: string): string => (statSync(file).mode & 0o777).toString(8)
    const { root, socket, hostFile, hostLog } = at.data
    expect([root, path.dirname(socket), at.data.slot(1).home, at.data.slot(1).work].map(mode)).toEqual(['700', '700', '700', '700'])
    const [job = ''] = readdirSync(at.data.jobs)
    const { accepted, result, transcript, stdout, stderr, cell } = at.data.job(job)
    expect([socket, hostFile, hostLog, accepted, result, transcript, stdout, stderr, cell].map(mode)).toEqual(Array(9).fill('600'))
  })

  it('tells who it is, and holds nothing of the process that started it', () => {
    const file = hostFileSchema.parse(JSON.parse(readFileSync(at.data.hostFile, 'utf8')))
    expect(file).toMatchObject({ pid: client.hello.pid, agent: at.agent, version: client.hello.version })
    const descriptors = readdirSync(`/proc/${file.pid}/fd`).map((each) => {
      try {
        return readlinkSync(`/proc/${file.pid}/fd/${each}`)
      } catch {
        return ''
      }
    })
    const own = descriptors.filter((each) => each.startsWith('/') && !each.startsWith(at.stage.root))
    expect(own.filter((each) => each !== '/dev/null')).toEqual([])
    const sessionOf = (pid: number | 'self') => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]
    expect(sessionOf(file.pid)).not.toBe(sessionOf('self'))
  })

  it('is the only one of its agent', async () => {
    const second = await paddock(at.stage, ['fleet-host', '--agent-root', at.data.root, '--agent', at.agent, '--idle', '1000'])
    expect([second.code, second.stderr]).toEqual([125, expect.stringContaining(`Another host process of agent ${at.agent} is running.`)])
    const again = await at.start()
    expect(again.hello.pid).toBe(client.hello.pid)
    again.close()
    await again.closed
  })

  it('ends the connection of a client that sends garbage, and goes on', async () => {
    const open = (): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = inDirectory(at.data.socket, (safe) => connect(safe, () => resolve(socket)))
        socket.on('error', () => undefined).resume()
      })
    const closedAfter = async (bytes: string | Buffer): Promise<boolean> => {
      const socket = await open()
      const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)))
      socket.write(bytes)
      return closed
    }
    const run = { slot: 1, prompt: '', manifest: { name: 'x', agent: 'command', command: ['true'] }, conversation: null }
    const bad = ['{', '[]', '{"type":"nothing"}', '{"type":"tail"}', '{"type":"tail","job":"../../etc"}', '\0'].map((each) => `${each}\n`)
    for (const job of ['../../x', 'j-short', '', `${newId('job')}/..`]) bad.push(`${JSON.stringify({ type: 'run', job, ...run })}\n`)
    bad.push(`${JSON.stringify({ type: 'run', job: newId('job'), ...run, slot: 0 })}\n`)
    for (const each of bad) expect(await closedAfter(each), each).toBe(true)
    expect(await closedAfter(Buffer.alloc(maxFrame + 1, 'x'))).toBe(true)
    // A client that has not sent its version cannot start anything.
    const job = newId('job')
    const socket = await open()
    const heard = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    socket.write(`${JSON.stringify({ type: 'run', job, ...run })}\n`)
    expect(JSON.parse(await heard)).toMatchObject({ type: 'refused', job, code: 'CONFLICT' })
    socket.destroy()
    expect(existsSync(at.data.job(job).root)).toBe(false)
    client.send({ type: 'status' })
    await until(() => at.frames.some((each) => each.type === 'status'))
  })

  it('cancels a job, and tells so when its cell is gone', async () => {
    const { words, isRunning } = lasting()
    const job = at.run(client, words)
    await until(isRunning)
    const other = at.run(client, ['true'])
    await until(() => at.frames.some((each) => each.type === 'refused'))
    expect(at.frames.at(-1)).toMatchObject({ job: other, code: 'CONFLICT', message: 'Another job runs in slot 1 of this agent.' })
    client.send({ type: 'cancel', job })
    const result = await at.ended(job)
    expect(isRunning()).toBe(false)
    expect([result.state, result.outcome.kind]).toEqual(['cancelled', 'cancelled'])
    const early = at.run(client, ['sleep', '60'])
    client.send({ type: 'cancel', job: early })
    expect((await at.ended(early)).state).toBe('cancelled')
    client.send({ type: 'cancel', job: early })
  })

  it('tells that a job waits for an answer, and goes on with it', async () => {
    const ask = 'exec 3<>/dev/tcp/asked.example/80; printf "GET / HTTP/1.1\\r\\nHost: asked.example\\r\\n\\r\\n" >&3; cat <&3; echo ended'
    const job = at.run(client, ['bash', '-c', ask], { manifest: { egress: { ask: ['asked.example:80'] } } })
    const states = (): readonly string[] => at.frames.flatMap((each) => (each.type === 'state' && each.job === job ? [each.state] : []))
    await until(() => states().includes('waiting'))
    const { stdout } = await paddock(at.stage, ['approvals', '--json'])
    const [id = ''] = /(?<="id": ")[^"]+/.exec(stdout) ?? []
    expect((await paddock(at.stage, ['approvals', 'deny', id])).code).toBe(0)
    expect((await at.ended(job)).text).toContain('ended')
    expect(states()).toEqual(['running', 'waiting', 'running', 'done'])
  })

  it('makes a result of what cannot start', async () => {
    const unknown = await at.ended(at.run(client, ['true'], { manifest: { agent: 'cladue' } }))
    expect(unknown).toMatchObject({ state: 'failed', outcome: { kind: 'start-failed', hint: expect.stringContaining('claude') } })
    const missing = await at.ended(at.run(client, ['true'], { manifest: { workspace: { project: '/nowhere/at/all' } } }))
    expect(missing.outcome.message).toBe('workspace.project: /nowhere/at/all does not exist on this machine.')
    const absent = await at.ended(at.run(client, ['no-such-program']))
    expect([absent.state, absent.outcome.exitCode]).toEqual(['failed', 127])
  })

  it('works in a project, or in a copy of one, with protected paths in both', async () => {
    const { project } = at.stage
    at.stage.put('file', 'old\n')
    at.stage.put('.envrc', 'old\n')
    const command = ['sh', '-c', 'pwd; echo new > file; echo x > .envrc || echo protected']
    const copied = await at.ended(at.run(client, command, { manifest: { workspace: { copy: project } } }))
    expect(copied).toMatchObject({ state: 'done', text: 'protected', copy: expect.stringMatching(/^[0-9a-f]{8}$/) })
    expect(at.stage.read('file')).toBe('old\n')
    const review = await paddock(at.stage, ['review', '--stat'])
    expect(review.stdout).toContain('file')
    const direct = await at.ended(at.run(client, command, { manifest: { workspace: { project } } }))
    expect(direct).toMatchObject({ state: 'done', text: 'protected', copy: null, changes: { modified: ['file'] } })
    expect(at.stage.read('file')).toBe('new\n')
    const own = await at.ended(at.run(client, command, { manifest: { workspace: { project: at.data.slot(1).work } } }))
    expect([own.state, own.outcome.message]).toEqual(['failed', expect.stringContaining("it is part of Paddock's own state")])
  })

  it('ends when it is asked to, with its jobs if it shall be now', async () => {
    const { words, isRunning } = lasting()
    const job = at.run(client, words)
    await until(isRunning)
    client.send({ type: 'end', now: true })
    expect((await at.ended(job)).state).toBe('cancelled')
    await client.closed
    await until(() => !isAlive(client.hello.pid))
    expect([existsSync(at.data.socket), existsSync(at.data.hostFile), isRunning()]).toEqual([false, false, false])
    expect(await connectHost(at.data, () => undefined)).toBeNull()
    const idle = await at.start(0)
    await at.ended(at.run(idle, ['true']))
    await idle.closed
    await until(() => !isAlive(idle.hello.pid))
    expect(existsSync(at.data.socket)).toBe(false)
  })

  it('ends a job that goes over the quota of its agent, and begins none after that in any slot', async () => {
    const client = await at.start()
    const manifest = { quota: '2MiB' }
    const over = await at.ended(at.run(client, ['sh', '-c', 'head -c 3145728 /dev/zero > big; exec sleep 60'], { manifest, slot: 3 }))
    expect(over.outcome.kind).toBe('out-of-disk')
    const next = await at.ended(at.run(client, ['true'], { manifest, slot: 4 }))
    expect([next.state, next.outcome.message]).toEqual(['failed', 'Its homes and workspaces have reached the quota of 2.0 MiB.'])
    expect((await at.ended(at.run(client, ['rm', 'big'], { slot: 3 }))).state).toBe('done')
    expect((await at.ended(at.run(client, ['true'], { manifest, slot: 4 }))).state).toBe('done')
  })
})

describe('jobs outlive servers', () => {
  it('a server that is killed with its group leaves its job running, and the next one sees its end', async () => {
    await using at = hostStage()
    const job = newId('job')
    const fixture = fileURLToPath(new URL('../../fixtures/start-host.ts', import.meta.url))
    const command = ['sh', '-c', 'echo x >> runs; while ! test -e go; do sleep 0.05; done; echo went on']
    const server = spawn(process.execPath, [fixture, at.data.root, at.agent, job, JSON.stringify(command)], {
      env: at.stage.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = Number(await new Promise<string>((resolve) => server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()))))
    const gone = new Promise((resolve) => server.once('exit', resolve))
    process.kill(-(server.pid ?? 0), 'SIGKILL')
    await gone
    const client = await at.start()
    expect(client.hello).toMatchObject({ pid, jobs: [{ job, state: 'running' }] })
    client.send({ type: 'tail', job })
    at.run(client, command, { job })
    await until(() => at.frames.some((each) => each.type === 'accepted'))
    const { work } = at.data.slot(1)
    await until(() => existsSync(path.join(work, 'runs')))
    writeFileSync(path.join(work, 'go'), '')
    expect(await at.ended(job)).toMatchObject({ state: 'done', text: 'went on' })
    expect(readFileSync(path.join(work, 'runs'), 'utf8')).toBe('x\n')
  })

  it('a host process that is killed takes its cells with it, and the next one starts no job again', async () => {
    await using at = hostStage()
    const { words, isRunning } = lasting()
    const first = await at.start()
    const job = at.run(first, words)
    await until(isRunning)
    await at.kill(first.hello.pid)
    await until(() => !isRunning())
    await first.closed
    const second = await at.start()
    expect(second.hello.jobs).toEqual([])
    at.run(second, words, { job })
    await until(() => at.frames.length === 2)
    expect(at.frames).toEqual([
      { type: 'accepted', job },
      { type: 'state', job, state: 'interrupted' },
    ])
    expect(existsSync(at.data.job(job).result)).toBe(false)
    expect(await at.ended(at.run(second, ['echo', 'works']))).toMatchObject({ state: 'done', text: 'works' })
    // On SIGTERM, it ends its cells and leaves their jobs interrupted.
    const other = at.run(second, words)
    await until(isRunning)
    process.kill(second.hello.pid, 'SIGTERM')
    await second.closed
    await until(() => !isAlive(second.hello.pid))
    expect([isRunning(), existsSync(at.data.job(other).result)]).toEqual([false, false])
  })

  it('a host process that cannot start is one error with the end of its log', async () => {
    await using at = hostStage()
    at.stage.env['PADDOCK_HOME'] = '/proc/nowhere'
    await expect(at.start()).rejects.toMatchObject({ code: 'CELL_FAILED', message: expect.stringContaining('/proc/nowhere') })
  })
})
