import { PaddockError } from '../../base/errors.ts'
import { newId } from '../ids.ts'
import { type Manifest, manifestSchema } from '../manifest/manifest-schema.ts'
import type { FleetDatabase } from './database.ts'
import type { EventLog } from './event-log.ts'
import type { EventKind } from './fleet-event-kinds.ts'

/** An agent as its user configured it. Its current state is derived from its running jobs. Times are ISO 8601. */
export interface Agent {
  /** The id, which also names the agent's directory, so that a new agent of the same name is a different one. */
  readonly id: string
  readonly name: string
  /** The manifest that its jobs follow; if it is not approved, the one that it was created with. */
  readonly manifest: Manifest
  /** Whether an owner approved the manifest, or did not need to. Otherwise the agent does not work. */
  readonly isApproved: boolean
  /** The newest manifest, if it waits for the approval of an owner; else null. */
  readonly waiting: Waiting | null
  /** The version of the newest manifest, which increases with each edit. */
  readonly version: number
  /** Whether the user started or stopped the agent. A stopped agent keeps its queue. */
  readonly wanted: 'started' | 'stopped'
  readonly createdAt: string
  readonly updatedAt: string
  readonly archivedAt: string | null
}

/** A manifest that waits for the approval of an owner. */
export interface Waiting {
  readonly manifest: Manifest
  /** The name of the credential that saved it. */
  readonly by: string
  /** When it was saved, ISO 8601. */
  readonly at: string
}

export interface Agents {
  /**
   * Creates an agent. `waitsOf`: who saved a manifest that an owner has to approve before the agent works; null if nobody has to.
   * @throws PaddockError CONFLICT if an agent with this name exists
   */
  create(manifest: Manifest, waitsOf: string | null): Agent
  /**
   * Replaces the manifest, or with `waitsOf` (as for `create`) only stores it: the agent then works with the present one until an owner decides.
   * `version` is the version that the edit is based on.
   * @throws PaddockError CONFLICT if the agent was edited meanwhile, or if the new name is in use
   */
  edit(id: string, manifest: Manifest, version: number, waitsOf: string | null): Agent
  /** Takes or drops the waiting manifest. @throws PaddockError CONFLICT if none waits in this version, or if its name is in use */
  decide(id: string, version: number, isAllowed: boolean): Agent
  want(id: string, wanted: Agent['wanted']): Agent
  /** Archives an agent: it and its jobs stay readable, and its name is free again. */
  archive(id: string): Agent
  /** Deletes the agent and its jobs. */
  remove(id: string): void
  /** Returns the agent with this id, or null. */
  get(id: string): Agent | null
  /**
   * Returns the agent with this name or id.
   * @throws PaddockError NOT_FOUND
   */
  find(nameOrId: string): Agent
  /** Returns the agents created after the one with the id `after`, in the order of their creation. */
  list(page: { readonly after: string | null; readonly limit: number; readonly archived: boolean }): readonly Agent[]
}

/** The number of pages that are kept in memory. */
const mostPages = 50

const columns =
  'id, name, manifest, approved, waiting, version, wanted, created_at AS createdAt, updated_at AS updatedAt, archived_at AS archivedAt'

export function agentStore(database: FleetDatabase, events: EventLog, now: () => Date = () => new Date()): Agents {
  const { sql, transaction } = database
  /** The agents that were read since their last change. Parsing a manifest takes longer than everything else in a list. */
  const read = new Map<string, Agent>()
  /** The pages that were read since the last change of any agent. */
  const pages = new Map<string, readonly Agent[]>()
  database.onRow('agents', (id) => {
    read.delete(String(id))
    pages.clear()
  })
  const get = (id: string): Agent | null => {
    const known = read.get(id)
    if (known !== undefined) return known
    const agent = agentOf(sql(`SELECT ${columns} FROM agents WHERE id = ?`).get(id))
    if (agent !== null && !database.inTransaction) read.set(id, agent)
    return agent
  }
  const byName = (name: string): Agent | null => {
    const id = sql('SELECT id FROM agents WHERE name = ? AND archived_at IS NULL').get(name)?.['id']
    return id === undefined ? null : get(String(id))
  }
  const refuseTaken = (name: string): void => {
    if (byName(name) !== null)
      throw new PaddockError('CONFLICT', `There is an agent named ${name} already.`, {
        hint: `Choose another name, or run: paddock agent delete ${name}`,
      })
  }
  const changed = (id: string, kind: EventKind): Agent => {
    const agent = get(id) as Agent
    events.add({ kind, agent: id, data: { name: agent.name, version: agent.version, wanted: agent.wanted } })
    return agent
  }
  const use = (id: string, manifest: Manifest): void =>
    void sql('UPDATE agents SET name = ?, manifest = ?, approved = 1 WHERE id = ?').run(manifest.name, JSON.stringify(manifest), id)
  return {
    create: (manifest, waitsOf) =>
      transaction(() => {
        refuseTaken(manifest.name)
        const [id, at] = [newId('agent'), now().toISOString()]
        sql(
          "INSERT INTO agents (id, name, manifest, approved, waiting, version, wanted, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 'started', ?, ?)",
        ).run(id, manifest.name, JSON.stringify(manifest), waitsOf === null ? 1 : 0, waitingText(manifest, waitsOf, at), at, at)
        return changed(id, 'agent.created')
      }),
    edit: (id, manifest, version, waitsOf) =>
      transaction(() => {
        const before = get(id) as Agent
        if (before.version !== version)
          throw new PaddockError(
            'CONFLICT',
            `${before.name} was edited meanwhile: it has version ${before.version}, the edit is based on ${version}.`,
            {
              hint: 'Read it again and repeat the edit',
            },
          )
        if (manifest.name !== before.name) refuseTaken(manifest.name)
        const at = now().toISOString()
        sql('UPDATE agents SET waiting = ?, version = version + 1, updated_at = ? WHERE id = ?').run(
          waitingText(manifest, waitsOf, at),
          at,
          id,
        )
        if (waitsOf === null) use(id, manifest)
        return changed(id, 'agent.edited')
      }),
    decide: (id, version, isAllowed) =>
      transaction(() => {
        const { name, waiting, version: newest } = get(id) as Agent
        if (waiting === null || version !== newest)
          throw new PaddockError('CONFLICT', `No version ${version} of the manifest of ${name} waits for an approval.`, {
            hint: `Run: paddock agent show ${name}`,
          })
        if (isAllowed && waiting.manifest.name !== name) refuseTaken(waiting.manifest.name)
        sql('UPDATE agents SET waiting = NULL, updated_at = ? WHERE id = ?').run(now().toISOString(), id)
        if (isAllowed) use(id, waiting.manifest)
        return changed(id, isAllowed ? 'agent.approved' : 'agent.refused')
      }),
    want: (id, wanted) =>
      transaction(() => {
        const { changes } = sql('UPDATE agents SET wanted = ?1, updated_at = ?2 WHERE id = ?3 AND wanted <> ?1').run(
          wanted,
          now().toISOString(),
          id,
        )
        return changes === 0 ? (get(id) as Agent) : changed(id, `agent.${wanted}`)
      }),
    archive: (id) =>
      transaction(() => {
        const at = now().toISOString()
        sql("UPDATE agents SET archived_at = ?, updated_at = ?, wanted = 'stopped' WHERE id = ?").run(at, at, id)
        return changed(id, 'agent.archived')
      }),
    remove: (id) =>
      transaction(() => {
        const agent = get(id)
        if (agent === null) return
        sql('DELETE FROM agents WHERE id = ?').run(id)
        events.add({ kind: 'agent.deleted', agent: id, data: { name: agent.name } })
      }),
    get,
    find(nameOrId) {
      const found = byName(nameOrId) ?? get(nameOrId)
      if (found !== null) return found
      throw new PaddockError('NOT_FOUND', `There is no agent named ${nameOrId}.`, { hint: 'Run: paddock agent list' })
    },
    list({ after, limit, archived }) {
      const page = JSON.stringify([after, limit, archived])
      const known = pages.get(page)
      if (known !== undefined) return known
      const from = after === null ? null : get(after)
      const rows = sql(
        `SELECT id FROM agents WHERE (created_at, id) > (?, ?) AND (archived_at IS NULL OR ?) ORDER BY created_at, id LIMIT ?`,
      ).all(from?.createdAt ?? '', from?.id ?? '', archived ? 1 : 0, limit)
      const found = rows.map((row) => get(String(row['id'])) as Agent)
      if (pages.size >= mostPages) pages.clear()
      if (!database.inTransaction) pages.set(page, found)
      return found
    },
  }
}

function waitingText(manifest: Manifest, by: string | null, at: string): string | null {
  return by === null ? null : JSON.stringify({ manifest, by, at } satisfies Waiting)
}

function agentOf(row: Record<string, unknown> | undefined): Agent | null {
  if (row === undefined) return null
  const { approved, waiting, manifest, ...rest } = row
  const asked = waiting === null ? null : (JSON.parse(String(waiting)) as Waiting)
  return {
    ...rest,
    manifest: manifestSchema.parse(JSON.parse(String(manifest))),
    isApproved: approved === 1,
    waiting: asked === null ? null : { ...asked, manifest: manifestSchema.parse(asked.manifest) },
  } as unknown as Agent
}
