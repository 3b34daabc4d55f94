// Measures speed, as ratios within one run: npm run bench
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { agentsOnMachine } from '../src/adapters/agent-facts.ts'
import { openAuditLog } from '../src/audit/audit-log.ts'
import { resolvePaths } from '../src/base/paths.ts'
import { bubblewrap } from '../src/cell/backends/bubblewrap/backend.ts'
import { inspectMachine } from '../src/cell/plan/machine-facts.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { cellLauncher } from '../src/cell/run/launch.ts'
import { hostResolver } from '../src/egress/dns/resolver.ts'
import { auditCost } from './audit.ts'
import { throughput } from './bytes.ts'
import { contests } from './contest.ts'
import { credentialCost } from './credentials.ts'
import { importing } from './import-tasks.ts'
import { inspection } from './inspect.ts'
import { installed } from './install.ts'
import { largeTree } from './large-tree.ts'
import { manyCells } from './many-cells.ts'
import { show } from './measure.ts'
import { idleCells, wholeRun } from './memory.ts'
import { sealing } from './sealing.ts'
import { shimStart, telemetryStart } from './shim.ts'
import { insideProcess, realNetwork, wholeProcess } from './start.ts'
import { suiteReports } from './suite-report.ts'
import { vaultTimes } from './vault.ts'
import { workTrees } from './work-trees.ts'

const directory = mkdtempSync('/tmp/paddock-bench-')
const env: Record<string, string> = {
  PATH: process.env['PATH'] ?? '',
  HOME: path.join(directory, 'home'),
  PADDOCK_HOME: path.join(directory, 'paddock'),
}
const project = path.join(directory, 'project')
for (const each of [project, env['HOME'] ?? '', path.join(directory, 'seal'), path.join(directory, 'contests')]) mkdirSync(each)
const paths = resolvePaths(env)
const audit = openAuditLog(path.join(paths.state, 'audit'))
const deps = {
  machine: inspectMachine(env, paths, agentsOnMachine),
  backends: [bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: {} })] as const,
  resolver: hostResolver(),
  // The audit log is on, as in normal use.
  audit: audit.write,
  stateDirectory: paths.state,
}
const start = cellLauncher(deps)
const spec: CellSpec = {
  name: 'bench',
  command: ['true'],
  cwd: '/tmp',
  mounts: [],
  files: [],
  home: { kind: 'temporary' },
  env: {},
  pathEntries: [],
  egress: { mode: 'allowlist', entries: [{ host: 'bench.test', ports: [443], internal: false, source: 'bench' }] },
  limits: {},
  terminal: false,
  degraded: [],
}

console.log(
  `${cpus().length} CPUs, ${(totalmem() / 1024 ** 3).toFixed(0)} GB, Node ${process.versions.node}, ${process.getuid?.() === 0 ? 'root' : 'user'}\n`,
)
try {
  show(await wholeProcess(project, env))
  show(await shimStart(directory, env))
  show(await telemetryStart(project, env))
  show(await installed(directory, env))
  show(wholeRun(project, env))
  show(await insideProcess(start, spec))
  show(await realNetwork(start, spec))
  show(await idleCells(start, spec))
  show(await throughput(start, spec, project, env))
  show(await auditCost(start, spec, directory))
  show(await inspection((extraRoots) => cellLauncher({ ...deps, extraRoots }), spec))
  show(await credentialCost((extraRoots) => cellLauncher({ ...deps, extraRoots }), spec))
  show(await sealing(path.join(directory, 'seal')))
  show(await contests(path.join(directory, 'contests')))
  show(await manyCells(start, { ...spec, egress: { mode: 'off' } }, path.join(directory, 'contests'), env))
  show(await suiteReports(path.join(directory, 'contests'), env))
  show(await importing(path.join(directory, 'contests'), env))
  show(await vaultTimes(env, paths))
  show(await largeTree(directory, env))
  show(await workTrees(path.join(directory, 'work-trees'), env))
} finally {
  audit.close()
  rmSync(directory, { recursive: true, force: true })
}
