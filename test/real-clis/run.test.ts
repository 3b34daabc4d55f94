import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transcript } from '../../src/adapters/output/parse-transcript.ts'
import { noSummary, type RunSummary, withEvent } from '../../src/adapters/output/run-summary.ts'
import type { CellReport } from '../../src/cell/report.ts'
import { both, isLab, makeStage, paddock, type Ran, type Stage, type Who } from '../support/cli.ts'
import { commandsThenText, type Script } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { newParser } from '../support/parsers.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { storedLogins, storeLogin } from './logins.ts'
import { withRealClis } from './place.ts'

interface AgentRan extends Ran {
  readonly report: CellReport
  readonly summary: RunSummary
}

describe.each(both)('paddock run with a local model, as %s', (who) => {
  let stage: Stage
  let server: ModelServer
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(async () => {
    await server.close()
    stage[Symbol.dispose]()
  })

  const run = async (agent: RealAgent, script: Script): Promise<AgentRan> => {
    server = await startModelServer({ script })
    return await runAgent(agent, who, stage, server.port, ['--env', `${agent.key}=placeholder`])
  }
  const result = (): string => path.join(stage.project, 'RESULT.md')

  it.each(realAgents)('$name does its tool call in the cell, and reaches its model only through the gateway', async (agent) => {
    const ran = await run(agent, commandsThenText(['echo made-in-the-cell > RESULT.md; id -u'], 'It is written.'))

    expect([ran.code, ran.signal], ran.stderr).toEqual([0, null])
    expect(readFileSync(result(), 'utf8')).toBe('made-in-the-cell\n')
    expect(readdirSync(stage.project)).toEqual(['RESULT.md'])
    const [owner, made] = [lstatSync(stage.project), lstatSync(result())]
    expect([made.uid, made.gid]).toEqual([owner.uid, owner.gid])

    // The output contains only the CLI's own JSON lines, and the adapter knows every line.
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(agent.opens)
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
    expect(ran.summary).toMatchObject({ ok: true, toolCalls: 1, unknownLines: 0, errors: [], rateLimit: null, loginNeeded: null })
    expect(ran.summary.resultText).toBe('It is written.')
    expect(ran.summary.usage?.input).toBeGreaterThan(1_000)
    expect(ran.summary.usage?.output).toBeGreaterThan(5)

    const { egress, ending } = ran.report
    expect(ending).toEqual({ kind: 'exited', code: 0 })
    expect(egress.reached.map((each) => [each.host, each.port])).toEqual([[modelHost, server.port]])
    expect(egress.reached[0]?.bytesOut).toBeGreaterThan(1_000)
    const asked = server.requests.filter((each) => each.conversation !== null)
    expect(asked.length).toBeGreaterThanOrEqual(2)
    expect(asked.map((each) => [each.authenticated, each.model])).toEqual(asked.map(() => [true, agent.asked]))
    expectDeniedInPassing(agent, who, ran.report)
  })

  // All of them in the lab.
  it.each(isLab ? realAgents : realAgents.slice(0, 1))(
    '$name uses a toolchain that is only in the home at L1, and sees no credential there',
    async (agent) => {
      const [tool, key] = [path.join(stage.home, '.sdk/bin'), path.join(stage.home, '.ssh/id_ed25519')]
      for (const each of [tool, path.dirname(key), path.join(stage.home, '.sdk/lib')]) mkdirSync(each, { recursive: true })
      writeFileSync(path.join(tool, 'sdk-tool'), '#!/bin/sh\ncat "$(dirname "$0")/../lib/data"\n', { mode: 0o755 })
      writeFileSync(path.join(stage.home, '.sdk/lib/data'), 'of the toolchain\n')
      writeFileSync(key, 'a private key\n', { mode: 0o600 })
      stage.own()
      const script = commandsThenText(
        [`${tool}/sdk-tool > RESULT.md 2>&1; cat ${key} >> RESULT.md 2>&1; echo x > ${tool}/new; true`],
        'Done.',
      )
      server = await startModelServer({ script })
      const use = (posture: string) => runAgent(agent, who, stage, server.port, ['--env', `${agent.key}=placeholder`, '--posture', posture])
      const ran = await use('L1')
      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.summary).toMatchObject({ ok: true, toolCalls: 1 })
      expect(ran.report.posture).toBe('L1')
      expect(readFileSync(result(), 'utf8')).toMatch(/^of the toolchain\n.*No such file/)
      expect(existsSync(path.join(tool, 'new'))).toBe(false)
      await server.close()
      server = await startModelServer({ script })
      await use('L2')
      expect(readFileSync(result(), 'utf8')).not.toContain('of the toolchain')
    },
  )

  it.each(realAgents)('$name whose key is refused ends with a failure that is a login, and has changed nothing', async (agent) => {
    const ran = await run(agent, () => ({ fail: 'auth' }))

    expect(ran.code, ran.stderr).not.toBe(0)
    expect(ran.report.ending).toEqual({ kind: 'exited', code: ran.code })
    expect(existsSync(result())).toBe(false)
    expect(ran.summary.ok).toBe(false)
    expect(ran.summary.loginNeeded).toMatch(/key/i)
    expect(ran.summary.rateLimit).toBeNull()
    expect(ran.report.egress.reached.map((each) => each.host)).toEqual([modelHost])
  })

  it.each(realAgents.filter((each) => storedLogins[each.name] !== undefined))(
    '$name works with the login of the host, and cannot read it',
    async (agent) => {
      const file = storeLogin(stage.home, agent.name)
      stage.own()
      server = await startModelServer({ script: commandsThenText([`cat ${file} > RESULT.md`], 'Done.') })
      const ran = await runAgent(agent, who, stage, server.port, [])

      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.summary).toMatchObject({ ok: true, toolCalls: 1, loginNeeded: null })
      expect(readFileSync(result(), 'utf8')).toMatch(/[A-Za-z0-9]{60}/)
      expect(readFileSync(result(), 'utf8')).not.toContain('worthless')
      expect(readFileSync(file, 'utf8')).toBe(storedLogins[agent.name]?.content)
      expect(server.requests.filter((each) => each.conversation !== null).every((each) => each.authenticated)).toBe(true)
    },
  )

  it.each(realAgents.filter((each) => storedLogins[each.name] !== undefined))(
    '$name works with a copy of the login of the host, and cannot change it',
    async (agent) => {
      const file = storeLogin(stage.home, agent.name)
      stage.own()
      server = await startModelServer({ script: commandsThenText([`echo taken > ${file}; echo $? > RESULT.md`], 'Done.') })
      const ran = await runAgent(agent, who, stage, server.port, ['--credentials', 'snapshot'])

      expect(ran.code, ran.stderr).toBe(0)
      expect(ran.summary).toMatchObject({ ok: true, toolCalls: 1, loginNeeded: null })
      expect(readFileSync(result(), 'utf8')).not.toBe('0\n')
      expect(readFileSync(file, 'utf8')).toBe(storedLogins[agent.name]?.content)
      expect(server.requests.filter((each) => each.conversation !== null).every((each) => each.authenticated)).toBe(true)
    },
  )
})

async function runAgent(agent: RealAgent, who: Who, stage: Stage, port: number, login: readonly string[]): Promise<AgentRan> {
  const file = path.join(stage.root, 'home', 'report.json')
  const endpoint = ['--base-url', `http://${modelHost}:${port}`, '--allow', pin(port), '--model', agent.model]
  const args = ['run', ...endpoint, ...login, '--report', file, '--prompt', 'Please write RESULT.md.', agent.name]
  const ran = await paddock(stage, args, { env: withRealClis(stage.env, who) })
  if (!existsSync(file)) throw new Error(`no report, exit code ${ran.code}: ${ran.stderr}`)
  const report = JSON.parse(readFileSync(file, 'utf8')) as CellReport
  return { ...ran, report, summary: await summaryOf(agent.name, ran) }
}

/** Returns the summary that a contest would make of this output. */
async function summaryOf(agent: string, ran: Ran): Promise<RunSummary> {
  const output = (async function* () {
    yield ran.stdout
  })()
  let summary = noSummary
  for await (const event of transcript(output, newParser(agent), Promise.resolve({ code: ran.code, stderr: ran.stderr }))) {
    summary = withEvent(summary, event)
  }
  return summary
}

/**
 * Expects denials only for names that are known to be unneeded, each refused at once (in the DNS answer, not by a
 * connection that hangs), and not repeated endlessly.
 */
function expectDeniedInPassing(agent: RealAgent, who: Who, { egress, durationMs }: CellReport): void {
  const names = egress.denied.map((each) => `${each.host} ×${each.count} (${each.reason})`)
  console.log(`${agent.name} as ${who}: ${durationMs} ms; denied: ${names.join(', ') || 'nothing'}`)
  for (const each of egress.denied) {
    expect(agent.triesInVain?.test(each.host), `${agent.name} tried ${each.host}`).toBe(true)
    expect([each.port, each.reason]).toEqual([null, 'not-allowed'])
    expect(each.count).toBeLessThanOrEqual(10)
  }
}
