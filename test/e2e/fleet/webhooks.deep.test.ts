import { createHmac } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliveryOf } from '../../../src/fleet/webhooks/delivery.ts'
import { command, isRoot, makeStage, needsRoot, ordinary, paddock, type Stage, type Who } from '../../support/cli.ts'
import { startFleet } from '../../support/fleet-server.ts'
import type { Arrival } from '../../support/lab/internet.ts'
import { hosts, type Lab, near, openInternetLab } from '../../support/lab/lab.ts'
import { until } from '../../support/processes.ts'

let lab: Lab
beforeAll(async () => {
  if (isRoot) lab = await openInternetLab()
})
afterAll(async () => {
  if (isRoot) await lab[Symbol.asyncDispose]()
})

const body = { manifest: { name: 'echo', agent: 'command', command: ['sh', '-c', 'cat'], egress: { policy: 'off' } } } as const

/** Starts a server on the near side of the lab, and returns the commands of its user. */
async function serve(who: Who) {
  const stage: Stage = makeStage(who)
  const data = path.join(stage.root, 'elsewhere/fleet')
  const ready = path.join(stage.root, 'home/ready.json')
  const root = path.join(stage.root, 'root.pem')
  mkdirSync(path.dirname(data))
  writeFileSync(root, lab.certificate)
  // The user wants no proxy, whatever the environment says.
  const config = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  mkdirSync(config, { recursive: true })
  writeFileSync(path.join(config, 'config.yaml'), 'schemaVersion: 1\negress: { upstream: { proxy: none } }\n')
  stage.own()
  const env = { ...stage.env, NODE_EXTRA_CA_CERTS: root, HTTPS_PROXY: 'http://10.1.2.3:80', NODE_USE_ENV_PROXY: '1' }
  const argv = [...command(who, ['serve', '--data', data, '--listen', '127.0.0.1:0', '--ready-file', ready])]
  const start = () => lab.background(['sh', '-c', '"$@" 2>&1', 'sh', ...argv], { cwd: stage.project, env })
  let server = await start()
  await until(() => existsSync(ready))
  const pid = (): number => (JSON.parse(readFileSync(ready, 'utf8')) as { pid: number }).pid
  return {
    stage,
    run: (...words: readonly string[]) => paddock(stage, [...words, '--data', data]),
    async replace() {
      const before = pid()
      process.kill(before, 'SIGKILL')
      server[Symbol.dispose]()
      server = await start()
      await until(() => pid() !== before)
    },
    [Symbol.dispose]() {
      process.kill(pid(), 'SIGKILL')
      for (const file of globSync(path.join(data, 'agents/*/host/host.json')))
        process.kill((JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number }).pid, 'SIGKILL')
      server[Symbol.dispose]()
      stage[Symbol.dispose]()
    },
  }
}

interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: { readonly id: number; readonly kind: string; readonly job: string | null; readonly data: Record<string, unknown> }
}

const postedTo = (name: string, wanted: string): readonly Posted[] =>
  lab.arrivals.flatMap(({ posted, name: host }: Arrival) =>
    posted?.path !== wanted || host !== name
      ? []
      : [{ ...(posted as Pick<Posted, 'headers' | 'body'>), event: (JSON.parse(posted.body) as Pick<Posted, 'event'>).event }],
  )

describe.each(ordinary)('webhooks on the internet of the lab, as %s', (who) => {
  needsRoot('the lab is made of network namespaces of its own')

  test('the events of a job arrive over TLS, signed; a server that is killed in a delivery sends it again', async () => {
    const place = `/webhook/hang/${who}`
    const before = lab.arrivals.length
    using server = await serve(who)
    const { run } = server
    const made = await run('webhook', 'add', 'chat', `https://public.example${place}`, '--event', 'job.started', '--event', 'job.ended')
    expect(made.code, made.stderr).toBe(0)
    const secret = /^secret {2}(\S+)$/m.exec(made.stdout)?.[1] ?? ''
    expect((await run('webhook', 'list', '--json')).stdout).not.toContain(secret)
    const file = path.join(server.stage.project, 'agent.json')
    writeFileSync(file, JSON.stringify(body.manifest))
    expect((await run('agent', 'create', file)).code).toBe(0)
    const ran = await run('job', 'run', 'echo', '--prompt', 'a secret prompt')
    expect(ran.code, ran.stderr).toBe(0)
    const posted = () => postedTo('public.example', place)
    await until(() => posted().length === 1)
    await server.replace()
    await until(() => posted().length >= 3)
    const events = posted().map(({ event }) => event)
    expect(events.map(({ kind }) => kind)).toEqual(['job.started', 'job.started', 'job.ended'])
    expect(events[1]).toEqual(events[0])
    expect(events[2]).toMatchObject({ data: { state: 'done', outcome: 'ran' } })
    for (const { headers, body } of posted()) {
      expect(body).not.toContain('a secret prompt')
      const expected = createHmac('sha256', secret).update(`${headers['x-paddock-time']}.${body}`).digest('hex')
      expect(headers['x-paddock-signature']).toBe(expected)
    }
    const outcomes = async () => JSON.parse((await run('webhook', 'show', 'chat', '--json')).stdout).outcomes as { state: string }[]
    while ((await outcomes()).length < 2) await setTimeout(20)
    expect((await run('webhook', 'show', 'chat')).stdout).toMatch(/job\.ended +\S+ +1 +delivered\n\d+ +job\.started +\S+ +1 +delivered\n/)
    // The proxy from the environment received nothing.
    expect(lab.arrivals.slice(before).filter(({ at }) => at === '10.1.2.3')).toEqual([])
  })

  test('no internal address is reached, by name, by number or by a redirect; what fails is shown', async () => {
    using server = await serve(who)
    const { run } = server
    const from = lab.arrivals.length
    const problems: Record<string, string> = {}
    const names = ['private', 'metadata', 'loopback', 'overlay', 'mapped', 'carried', 'nowhere', 'wrong']
    for (const name of names) {
      expect((await run('webhook', 'add', name, `https://${name}.example/webhook`)).code).toBe(0)
      const tested = await run('webhook', 'test', name)
      expect([name, tested.code]).toEqual([name, 1])
      problems[name] = tested.stdout.trim()
    }
    expect(problems).toEqual({
      private: 'private.example resolves to 10.1.2.3, an internal address (private).',
      metadata: 'metadata.example resolves to 169.254.169.254, an internal address (metadata).',
      loopback: 'loopback.example resolves to 127.0.0.1, an internal address (loopback).',
      overlay: 'overlay.example resolves to fd7a:115c:a1e0::1, an internal address (unique-local).',
      mapped: 'mapped.example resolves to ::ffff:10.1.2.3, an internal address (private).',
      carried: 'carried.example resolves to 64:ff9b::a01:203, an internal address (private).',
      nowhere: 'nowhere.example does not resolve (ENOTFOUND).',
      wrong: 'The connection failed (ERR_TLS_CERT_ALTNAME_INVALID).',
    })
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:10.1.2.3]', hosts.metadata, near.second, near.address, 'localhost']) {
      const refused = await run('webhook', 'add', 'inner', `http://${host}/webhook`)
      expect([host, refused.code, refused.stderr.includes('is an internal address')]).toEqual([host, 2, true])
    }
    for (const [name, url, told] of [
      ['redirect', 'http://redirect.example/http://10.1.2.3/webhook', 'Answered 302; redirects are not followed.'],
      ['down', 'http://public.example/webhook/down', 'Answered 503.'],
      ['mixed', 'http://mixed.example/webhook', 'Accepted (204).'],
      ['rebind', 'http://rebind.example/webhook', ''],
    ] as const) {
      await run('webhook', 'add', name, url)
      const tested = await run('webhook', 'test', name)
      if (told !== '') expect(tested.stdout.trim()).toBe(told)
    }
    // The current address counts, not the earlier one.
    expect((await run('webhook', 'test', 'rebind')).stdout).toContain('resolves to 10.1.2.3, an internal address')
    const reached = lab.arrivals.slice(from).filter(({ kind }) => kind === 'http' || kind === 'https')
    expect(reached.map(({ at }) => at).filter((each) => each !== hosts.public && each !== hosts.public6)).toEqual([])
    expect(reached).not.toEqual([])
  })
})

describe.each(ordinary)('webhooks, as %s', (who) => {
  test('only an owner sees the path of a URL; commands do what they say', async () => {
    await using fleet = await startFleet(who)
    const run = (...words: readonly string[]) => paddock(fleet.stage, ['webhook', ...words, '--data', fleet.data])
    const viewer = { authorization: `Bearer ${await fleet.token('viewer')}` }
    expect((await run('add', 'chat', 'https://receiver.invalid/T0/secret?key=1')).stdout).toContain(
      'sends job.ended, job.waiting, job.budget to',
    )
    expect((await run('list')).stdout).toMatch(
      /^NAME +URL +EVENTS +NEWEST\nchat +https:\/\/receiver\.invalid\/T0\/secret\?key=1 +job\.ended,/,
    )
    for (const where of ['webhooks', 'webhooks/chat']) {
      const seen = await (await fetch(`${fleet.url}/api/v1/${where}`, { headers: viewer })).text()
      expect(seen).toContain('"url":"https://receiver.invalid/…"')
      expect(seen).not.toMatch(/T0\/|key=/)
    }
    expect((await run('pause', 'chat')).stdout).toBe('chat sends nothing until it is resumed.\n')
    expect((await run('show', 'chat')).stdout).toMatch(/\npaused\n$/)
    expect((await run('resume', 'chat', '--json')).stdout).toContain('"paused": false')
    const wrong = await run('add', 'other', 'https://receiver.invalid/', '--event', 'job.finished')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('job.ended')])
    expect((await run('remove', 'chat')).stdout).toBe('chat is removed.\n')
    expect((await run('show', 'chat')).code).toBe(2)
  })

  test('a hook of another fleet takes what a webhook with its secret sends, and makes one job of what comes twice', async () => {
    await using fleet = await startFleet(who)
    await fleet.api.POST('/api/v1/agents', { body })
    const made = await fleet.api.POST('/api/v1/hooks', { body: { name: 'events', agent: 'echo', prompt: 'Say what happened.' } })
    const { path: place = '', secret = '' } = made.data ?? {}
    const event = { id: 5, at: new Date().toISOString(), kind: 'job.ended', agent: 'a', job: 'j', data: { state: 'done' } }
    const deliver = async (): Promise<unknown> => {
      const { headers, body } = deliveryOf(event, secret, Date.now())
      const answer = await fetch(`${fleet.url}${place}`, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })
      return [answer.status, await answer.json()]
    }
    const first = await deliver()
    expect(first).toEqual([202, { job: expect.stringMatching(/^j-/) }])
    expect(await deliver()).toEqual(first)
  })
})
