import { execFile } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { command, makeStage } from '../support/cli.ts'

const run = promisify(execFile)
const inspector = path.join(import.meta.dirname, 'node_modules/.bin/mcp-inspector')

test('the inspector of the protocol lists the tools, and starts, watches and reads a contest that outlives each of its servers', async () => {
  using stage = makeStage('root')
  cpSync(fileURLToPath(new URL('../../examples/hello', import.meta.url)), path.join(stage.project, 'hello'), { recursive: true })
  const [program, ...args] = command('root', ['mcp', '--root', stage.project])
  stage.put('mcp.json', JSON.stringify({ mcpServers: { paddock: { command: program, args, env: stage.env } } }))
  const env = { ...stage.env, MCP_INSPECTOR_SECRET_STORE: 'memory' }
  const ask = async (method: string, ...more: string[]) => {
    const words = ['--cli', '--config', 'mcp.json', '--server', 'paddock', '--method', method, ...more]
    return JSON.parse((await run(process.execPath, [inspector, ...words], { cwd: stage.project, env, maxBuffer: 1e8 })).stdout)
  }
  // Each call starts a new server.
  const call = async (tool: string, ...given: string[]) =>
    (await ask('tools/call', '--tool-name', tool, '--tool-arg', 'contest=hello', ...given)).structuredContent

  const { tools } = await ask('tools/list')
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    'list_contests',
    'start_contest',
    'contest_status',
    'contest_events',
    'contest_report',
    'cancel_contest',
    'list_suites',
    'start_suite',
    'suite_status',
    'suite_report',
    'cancel_suite',
  ])
  expect(await call('start_contest')).toMatchObject({ state: 'running' })
  const types: string[] = []
  for (let [after, running] = [0, true]; running; ) {
    const read = await call('contest_events', `after=${after}`, 'waitSeconds=30')
    types.push(...read.events.map(({ type }: { type: string }) => type))
    ;[after, running] = [read.cursor, read.running]
  }
  expect(types).toEqual(expect.arrayContaining(['started', 'sealed', 'checked', 'scored', 'reported']))
  expect(await call('contest_status')).toMatchObject({ running: false, problem: null })
  const { summary } = await call('contest_report')
  expect(summary.ranking.map(({ name }: { name: string }) => name)).toEqual(['careful', 'patient', 'hasty'])
})
