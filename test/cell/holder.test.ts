import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentsOnMachine } from '../../src/adapters/agent-facts.ts'
import { resolvePaths } from '../../src/base/paths.ts'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import { inspectMachine } from '../../src/cell/plan/machine-facts.ts'
import { cellLauncher } from '../../src/cell/run/launch.ts'
import { spec } from './machine.ts'

describe('listeners of a cell', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync('/tmp/paddock-holder-')
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it('answer DNS over UDP and TCP, and take connections at every synthetic address', async () => {
    const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: directory, PADDOCK_HOME: `${directory}/paddock` }
    const paths = resolvePaths(env)
    const kinds: string[] = []
    const start = cellLauncher({
      machine: inspectMachine(env, paths, agentsOnMachine),
      backends: [bubblewrap({ searchPath: env.PATH, sessionEnv: {} })],
      resolver: { resolve: () => Promise.reject(new Error('nothing is resolved here')) },
      audit: (event) => kinds.push(`${event.kind} ${event.data['reason'] ?? ''}`.trim()),
      stateDirectory: paths.state,
    })
    const entries = [
      { host: 'a.test', ports: [443, 8080], internal: false, source: 'test' },
      { host: '*.b.test', ports: [443], internal: false, source: 'test' },
    ]
    const script =
      'getent hosts a.test x.b.test; bash -c "exec 3<>/dev/tcp/a.test/8080; echo hello >&3; cat <&3" 2>&1; bash -c "exec 3<>/dev/tcp/x.b.test/443; echo no tls >&3; cat <&3" 2>&1; bash -c "exec 3<>/dev/tcp/127.0.0.53/53 && echo dns over tcp"'
    const { project: _, ...rest } = spec({
      command: ['sh', '-c', script],
      cwd: '/tmp',
      home: { kind: 'temporary' },
      egress: { mode: 'allowlist', entries },
    })
    const cell = await start(rest, { stdin: 'none' })
    cell.stderr.resume()
    let said = ''
    for await (const chunk of cell.stdout) said += String(chunk)
    expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
    expect(said).toMatch(/198\.18\.0\.1\s+a\.test\n198\.18\.\d+\.\d+\s+x\.b\.test\n/)
    expect(said).toContain('dns over tcp')
    expect(kinds).toContain('egress.deny unresolvable')
    expect(kinds).toContain('egress.deny not-tls')
  })
})
