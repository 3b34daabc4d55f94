import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openAuditLog } from '../../../audit/audit-log.ts'
import { exitCodes, PaddockError } from '../../../base/errors.ts'
import { resolvePaths } from '../../../base/paths.ts'
import { parseSize, sizeRule } from '../../../base/quantities.ts'
import { rememberOwn } from '../../../cell/plan/own-elsewhere.ts'
import type { Config } from '../../../config/config-schema.ts'
import { copiesDirectory } from '../../../copy/copy-host.ts'
import { OpenQuestions } from '../../../egress/approvals/open-questions.ts'
import { forgetAnswer, rememberedAnswers } from '../../../egress/approvals/remembered.ts'
import { writeJson } from '../../../files/atomic.ts'
import { localHosts } from '../../../fleet/agents/local-hosts.ts'
import type { BudgetOptions } from '../../../fleet/budgets/budgets.ts'
import { ContestRuns } from '../../../fleet/contests/contest-runs.ts'
import { SuiteWorks } from '../../../fleet/contests/suite-works.ts'
import { apiUrl } from '../../../fleet/discord/channel-address.ts'
import { type Fleet, openFleet } from '../../../fleet/fleet.ts'
import { useFleetDirectory } from '../../../fleet/fleet-directory.ts'
import { lookAround } from '../../../fleet/machine/ask-doctor.ts'
import { retentionOf } from '../../../fleet/retention/retention-policy.ts'
import { listen } from '../../../server/listen.ts'
import { ownCommand } from '../../../server/own-command.ts'
import { fleetApp } from '../../../server/serve-fleet.ts'
import { serverLog } from '../../../server/server-log.ts'
import { loadConfig } from '../../config/configured.ts'
import { ownProgram } from '../../own-program.ts'
import { onEndSignal } from '../../terminal/signals.ts'
import { say } from '../../terminal/terminal-output.ts'
import { version } from '../../version.ts'
import { fleetOf } from '../data-option.ts'
import { loginLink } from '../open-page.ts'
import { pauseLine } from '../pause-line.ts'
import { addressesOf, addressesOfPages, announce, listenWish, pagesOf, type ServeOptions } from './serve-addresses.ts'

type Ending = ServeOptions['onStop']
const waitMs = 250

/** `paddock serve`: runs until a signal ends it. */
export async function serveCommand(options: ServeOptions): Promise<number> {
  const paths = resolvePaths(process.env)
  const data = fleetOf(options.data, paths)
  const log = serverLog(options.log)
  const maxPromptBytes = parseSize(options.maxPrompt)
  if (maxPromptBytes === null)
    throw new PaddockError('BAD_INPUT', `--max-prompt ${options.maxPrompt} is not a size.`, { hint: `Give ${sizeRule}` })
  const wish = await listenWish(options)
  const { files } = await loadConfig('', paths, { projectFile: false })
  const projects = files.flatMap(({ config }) => config.fleet?.projects ?? [])
  const contests = files.flatMap(({ config }) => config.fleet?.contests ?? [])
  const discordApi = files.find(({ config }) => config.fleet?.discord?.api !== undefined)?.config.fleet?.discord?.api
  const auditDirectory = path.join(paths.state, 'audit')
  const audit = openAuditLog(auditDirectory, { onTrouble: say })
  const retention = retentionOf(files.find(({ config }) => config.fleet?.retention !== undefined)?.config.fleet?.retention)
  const budgets = budgetsOf(files.flatMap(({ config }) => config.fleet ?? []))
  const program = ownProgram()
  await useFleetDirectory(data)
  rememberOwn(realpathSync(data.root), paths)
  await using fleet = await openFleet({
    data,
    hosts: localHosts({ data, program, env: process.env }),
    warn: (message, about) => log.warn(about, message),
    retention,
    budgets,
    audit: audit.write,
    hasCopy: (id) => existsSync(path.join(copiesDirectory(paths), path.basename(id))),
  })
  let stopping = false
  let addresses: readonly string[] = []
  const open = new OpenQuestions(paths.state)
  const app = fleetApp({
    fleet,
    version,
    log,
    maxPromptBytes,
    audit: audit.write,
    ...(discordApi === undefined ? {} : { discordApi: apiUrl(discordApi) }),
    command: ownCommand(program, process.env),
    contests: {
      contests: new ContestRuns(data.contests, program, process.env, paths.state),
      suites: new SuiteWorks(data.suites, program, process.env, paths.state),
      directories: { allowed: contests, agents: projects, userHome: paths.userHome, key: 'fleet.contests' },
    },
    auditDirectory,
    questions: {
      open: () => open.list(),
      remembered: () => rememberedAnswers(paths.config),
      forget: (id) => forgetAnswer(paths.config, id),
    },
    facts: {
      startedAt: new Date().toISOString(),
      addresses: () => addresses,
      retention,
      budgets: { day: budgets.day, month: budgets.month },
      prices: Object.keys(budgets.prices ?? {}),
    },
    look: () => lookAround(program, process.env),
    page: fileURLToPath(new URL(`${import.meta.url.endsWith('.ts') ? '../../../dist/' : './'}web`, import.meta.url)),
    credentials: files.flatMap(({ config }) => config.fleet?.credentials ?? []),
    projects: { allowed: projects, agents: projects, userHome: paths.userHome, key: 'fleet.projects' },
    notReady: () => (stopping ? 'The server is ending.' : null),
    onChange: ({ actor, method, route, params }) => {
      const kind = route.split('/')[3] ?? 'api'
      audit.write({ kind: `fleet.${kind.replace(/s$/, '')}`, actor, data: { method, route, ...params } })
    },
  })
  await using listening = await listen(app, { ...wish, socket: data.socket })
  const pages = pagesOf(listening, options)
  addresses = addressesOfPages(listening, options)
  await writeJson(data.serverFile, { ...addressesOf(listening), pages }, { mode: 0o600 })
  announce(listening, options)
  const pause = fleet.paused()
  if (pause !== null) say(pauseLine(pause, options.data))
  if (pages !== null && process.stderr.isTTY === true)
    say(`to open it in a browser (the link works once): ${(await loginLink(options, 'owner')).link}`)
  await asked()
  stopping = true
  fleet.stopTaking()
  await atEnd(fleet, options.onStop)
  return exitCodes.done
}

/** Resolves when a signal requests the end of this process. */
function asked(): Promise<void> {
  return new Promise((resolve) => onEndSignal(() => resolve()))
}

/** Cancels running jobs or waits for them, as requested. By default their host processes continue, and the next server follows the jobs. */
async function atEnd(fleet: Fleet, ending: Ending): Promise<void> {
  if (ending === 'leave') return
  if (ending === 'cancel') {
    for (const state of ['running', 'waiting'] as const)
      for (const job of fleet.jobs.list({ state }, { before: null, limit: 10_000 })) fleet.cancel(job.id)
  }
  while (fleet.busy() > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

/** Returns the budgets and the prices, each from the first file that contains them. */
function budgetsOf(fleets: readonly NonNullable<Config['fleet']>[]): BudgetOptions {
  const { day, month } = fleets.find((each) => each.budgets !== undefined)?.budgets ?? {}
  return { day, month, prices: fleets.find((each) => each.prices !== undefined)?.prices }
}
