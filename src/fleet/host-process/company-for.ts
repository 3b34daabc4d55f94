import type { McpServer } from '../../adapters/mcp-server.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { Host } from '../../host.ts'
import { listedTools } from '../manifest/model.ts'
import { type CompanyTool, companyHost, serveCompany } from './company-server.ts'
import type { Metered } from './in-cell.ts'
import { jobCompany } from './job-company.ts'
import type { JobOrder } from './job-means.ts'

const port = 80

/** The access of a CLI's job to humans and other agents. */
export interface CliCompany extends AsyncDisposable {
  /** The server of the tools; empty if the manifest has no such tools. */
  readonly mcp: readonly McpServer[]
  /** Adds the access to the specification of a cell. */
  reachedBy(spec: CellSpec): CellSpec
}

/** Serves the tools in the manifest of a CLI until disposed. A model has these tools without a server. */
export async function companyFor({ job, manifest, lease }: JobOrder, host: Host, { hooks, meter, signal }: Metered): Promise<CliCompany> {
  const names = listedTools(manifest.tools ?? [], lease?.tools ?? null).map(({ name }) => name)
  const tools = names.filter((each): each is CompanyTool => each === 'ask' || each === 'delegate')
  if (manifest.kind === 'model' || tools.length === 0)
    return { mcp: [], reachedBy: (spec) => spec, [Symbol.asyncDispose]: () => Promise.resolve() }
  const server = await serveCompany({
    company: jobCompany({ manifest, hooks, meter }),
    tools,
    delegates: manifest.delegates ?? [],
    signal,
    called: (tool, _, ok) => host.audit.write({ kind: 'fleet.tool', actor: manifest.name, data: { job, tool, ok } }),
  })
  const pin = { address: '127.0.0.1', port: server.port }
  const entry = { host: companyHost, ports: [port], internal: true, pin, source: 'paddock' }
  return {
    mcp: [{ name: 'paddock', url: `http://${companyHost}/mcp`, headers: { Authorization: `Bearer ${server.token}` }, waits: true }],
    reachedBy: (spec) =>
      spec.egress.mode === 'off' ? spec : { ...spec, egress: { ...spec.egress, entries: [entry, ...spec.egress.entries] } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
