import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runnerCommand } from '../../fleet/manifest/request-of-manifest.ts'
import { runnerOf } from '../../fleet/model/runner-client.ts'
import { runnerMounts } from '../../fleet/model/runner-mounts.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'

const callMs = 5_000

export const modelToolsInTheCell: Guarantee = {
  id: 'model-tools-in-the-cell',
  chapter: 'processes',
  claim:
    'A command, path or URL that a model chooses for its tools is run or opened in its cell, never by the process that queries the model.',
  mechanism: 'A runner in the cell runs the tools. The host process sends it their inputs as data, and reads back text of limited size.',
  kind: 'structural',
  why: 'The host process has no code that opens a path or URL from a model. The cell resolves it, and has access only to what was mounted or allowed.',
  fails: [
    'The tools can reach whatever the cell can reach: mounts, allowed hosts, the workspace.',
    'The agent writes their answers, which may be false.',
  ],
  probe: async (bench) => {
    const word = bench.secret()
    const directory = await bench.directory()
    const file = path.join(directory, 'canary')
    writeFileSync(file, word)
    using server = await bench.serve({ address: '127.0.0.1' })
    const cell = await bench.start(runnerCommand, { mounts: runnerMounts }, { stdin: 'pipe' })
    const errors = collect({ ...cell, stdout: cell.stderr, done: cell.done })
    const runner = runnerOf(cell, cell.stdout, {})
    const { signal } = new AbortController()
    await runner.ready
    const paths = [
      file,
      `..${'/..'.repeat(20)}${file}`,
      '/tmp/link',
      `/tmp/directory/canary`,
      `/proc/1/root${file}`,
      `/proc/self/root${file}`,
    ]
    const calls: readonly (readonly [string, object])[] = [
      ['bash', { command: `ln -s '${file}' /tmp/link; ln -s '${directory}' /tmp/directory; cat '${file}'` }],
      ...paths.map((each) => ['file_read', { path: each }] as const),
      ...paths.map((each) => ['file_edit', { path: each, old: word, new: 'changed' }] as const),
      ['file_write', { path: file, content: 'changed' }],
      ...['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'].map(
        (host) => ['http', { url: `http://${host}:${server.port}/` }] as const,
      ),
      ['http', { url: `file://${file}` }],
    ]
    const reached: string[] = []
    for (const [tool, input] of calls) {
      const { text } = await runner.call(tool, input, callMs, signal)
      if (text.includes(word)) reached.push(`${tool} ${JSON.stringify(input)}`)
    }
    const alive = await runner.call('bash', { command: 'echo alive' }, callMs, signal)
    runner.close()
    await errors
    if (!alive.text.startsWith('alive\n')) return broken(`the runner does not work, so nothing was tried: ${alive.text}`)
    if (reached.length > 0) return broken(`a tool read a file of the host: ${reached.join('; ')}`)
    if (readFileSync(file, 'utf8') !== word) return broken('a tool changed a file of the host')
    if (server.connections() > 0) return broken(`${server.connections()} requests from a tool arrived at a server of this host`)
    return held(`${calls.length} tool calls with paths and URLs of this host: no file was read or changed, and no request arrived`)
  },
}
