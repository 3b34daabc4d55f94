import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import type { Cell, StartCell } from '../../src/cell/cell.ts'
import type { CellEnding, CellReport } from '../../src/cell/report.ts'
import { PaddockError } from '../../src/errors.ts'

/**
 * A stand-in for the cell in tests of what is built on it: a real process with the mounts of its spec and nothing else
 * of the host, by plain bwrap. It has no limits but wall time, and no network.
 */
export const plainCell: StartCell = async (spec, io, signal) => {
  if (signal?.aborted) throw new PaddockError('CANCELLED', 'stopped')
  const home = '/home/agent'
  const argv = ['--unshare-all', '--die-with-parent', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--ro-bind', '/usr', '/usr']
  for (const each of ['/bin', '/sbin', '/lib', '/lib64']) {
    if (!existsSync(each)) continue
    if (lstatSync(each).isSymbolicLink()) argv.push('--symlink', readlinkSync(each), each)
    else argv.push('--ro-bind', each, each)
  }
  if (spec.home.kind === 'persistent') argv.push('--bind', spec.home.path, home)
  else argv.push('--tmpfs', home)
  const deeperLast = spec.mounts.toSorted((a, b) => (a.target ?? a.source).length - (b.target ?? b.source).length)
  for (const { source, target, access } of deeperLast) argv.push(access === 'rw' ? '--bind' : '--ro-bind', source, target ?? source)
  argv.push('--chdir', spec.cwd, '--', ...spec.command)
  const startedAt = new Date()
  const path = [...spec.pathEntries, '/usr/local/bin', '/usr/bin', '/bin'].join(':')
  const child = spawn('bwrap', argv, { env: { PATH: path, HOME: home, ...spec.env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let ordered: CellEnding | null = null
  const stop: Cell['stop'] = (reason) => {
    ordered ??= { kind: reason }
    child.kill('SIGKILL')
  }
  const timer = spec.limits.wallMs ? setTimeout(() => stop('out-of-time'), spec.limits.wallMs) : null
  const onAbort = (): void => stop('cancelled')
  signal?.addEventListener('abort', onAbort)
  child.stdin.on('error', () => {})
  if (io.stdin !== 'pipe') child.stdin.end(io.stdin === 'none' ? undefined : io.stdin)
  const done = new Promise<CellReport>((resolve) => {
    child.on('close', (code, killed) => {
      if (timer) clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      const natural: CellEnding = killed ? { kind: 'signalled', signal: killed, code: 137 } : { kind: 'exited', code: code ?? 1 }
      const endedAt = new Date()
      resolve({
        schemaVersion: 1,
        cell: randomUUID(),
        name: spec.name,
        posture: 'L0',
        backend: 'plain',
        planHash: '',
        startedAt: startedAt.toISOString(),
        endedAt: endedAt.toISOString(),
        durationMs: endedAt.getTime() - startedAt.getTime(),
        ending: ordered ?? natural,
        killLadder: [],
        resources: { cpuMs: null, peakMemoryBytes: null },
        limits: [],
        egress: { mode: 'off', connections: 0, bytesOut: 0, bytesIn: 0, reached: [], denied: [] },
        changes: null,
        degraded: [],
      })
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  return {
    id: randomUUID(),
    stdin: io.stdin === 'pipe' ? child.stdin : null,
    stdout: child.stdout,
    stderr: child.stderr,
    done,
    stop,
    resize: () => {},
    connectInside: () => Promise.reject(new Error('not in a plain cell')),
  }
}
