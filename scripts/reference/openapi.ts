import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { ContestRuns } from '../../src/fleet/contests/contest-runs.ts'
import { SuiteWorks } from '../../src/fleet/contests/suite-works.ts'
import { fleetData } from '../../src/fleet/data-directory.ts'
import { openFleet } from '../../src/fleet/fleet.ts'
import { fleetApp } from '../../src/server/serve-fleet.ts'
import { serverLog } from '../../src/server/server-log.ts'

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
}

/** Returns the OpenAPI document of the API, from an app over an empty fleet. */
export async function openApiDocument(): Promise<object> {
  const directory = mkdtempSync('/tmp/paddock-openapi-')
  try {
    const never = async (): Promise<never> => Promise.reject(new Error('nothing is started for a document'))
    await using fleet = await openFleet({
      data: fleetData(path.join(directory, 'data')),
      hosts: { connect: async () => null, view: async () => null, start: never },
      warn: () => undefined,
    })
    const app = fleetApp({
      fleet,
      version: '1',
      log: serverLog('silent'),
      maxPromptBytes: 256 * 1024,
      command: never,
      contests: {
        contests: new ContestRuns(path.join(directory, 'contests'), [], {}, directory),
        suites: new SuiteWorks(path.join(directory, 'suites'), [], {}, directory),
        directories: { allowed: [], agents: [], userHome: '/', key: 'fleet.contests' },
      },
      look: never,
      credentials: [],
      projects: { allowed: [], agents: [], userHome: '/', key: 'fleet.projects' },
      auditDirectory: path.join(directory, 'audit'),
      questions: { open: async () => [], remembered: () => [], forget: never },
      facts: {
        startedAt: '2026-01-31T12:00:00.000Z',
        addresses: () => [],
        retention: { ageMs: null, bytes: 1, events: 1 },
        budgets: {},
        prices: [],
      },
      notReady: () => null,
      onChange: () => undefined,
    })
    await app.ready()
    const document = app.swagger() as Document
    await app.close()
    // Their order depends on which module was loaded first.
    const schemas = Object.entries(document.components?.schemas ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns the types of the client, made from the document. */
export async function clientTypes(document: object): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), { alphabetize: true })
  return `// Made from docs/reference/openapi.json: npm run reference\n\n${astToString(nodes)}`
}
