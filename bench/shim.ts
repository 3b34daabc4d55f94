import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Figure, inTurn, median, time } from './measure.ts'
import { bin, finished } from './start.ts'

/** Measures an agent that a shim starts, compared to `paddock run` with the same agent, as whole processes. */
export async function shimStart(directory: string, given: Record<string, string>): Promise<Figure[]> {
  const [programs, project] = [path.join(directory, 'programs'), path.join(directory, 'shim-project')]
  for (const each of [programs, project]) mkdirSync(each)
  const agent = path.join(programs, 'claude')
  writeFileSync(agent, '#!/bin/sh\nexit 0\n')
  chmodSync(agent, 0o755)
  const env = { ...given, PATH: `${programs}:${given['PATH']}` }
  await finished(process.execPath, [bin, 'shim', 'install', 'claude'], project, env)
  const shim = path.join(given['PADDOCK_HOME'] ?? '', 'data/shims/claude')
  const found = await inTurn(30, {
    shim: () => time(() => finished(shim, ['-p'], project, env)),
    run: () => time(() => finished(process.execPath, [bin, 'run', '--quiet', 'claude', '-p'], project, env)),
  })
  const [byShim, byRun] = [median(found.shim), median(found.run)]
  return [
    {
      name: 'an agent that a shim starts, whole process',
      value: `${byShim.toFixed(0)} ms, paddock run ${byRun.toFixed(0)} ms: ${(byShim / byRun).toFixed(2)}`,
      bar: 'at most 20 ms more than paddock run',
      met: byShim - byRun <= 20,
    },
  ]
}

/** Measures a run that sends telemetry to a collector on this machine which nobody serves, compared to one that sends none. */
export async function telemetryStart(project: string, given: Record<string, string>): Promise<Figure[]> {
  const words = [bin, 'run', '--quiet', '--egress', 'off', '--', 'true']
  const run = (env: Record<string, string>) => () => time(() => finished(process.execPath, words, project, env))
  const found = await inTurn(30, {
    plain: run(given),
    traced: run({ ...given, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
  })
  const [plain, traced] = [median(found.plain), median(found.traced)]
  return [
    {
      name: 'paddock run --egress off -- true with telemetry, whole process',
      value: `${traced.toFixed(0)} ms, without ${plain.toFixed(0)} ms: ${(traced / plain).toFixed(2)}`,
      bar: 'at most 1.25 of a run without telemetry',
      met: traced / plain <= 1.25,
    },
  ]
}
