import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { FleetData } from '../data-directory.ts'
import type { Agents } from '../store/agent-store.ts'

type Warn = (message: string, about: Readonly<Record<string, unknown>>) => void

/** The start of the name of an agent's directory whose agent was deleted. Only such directories are deleted. */
const mark = '.removing-'

/**
 * Deletes an agent and its directory. The directory is marked by its name before the agent is deleted from the database, so that a crash
 * at any step leaves an agent with its directory, or a marked directory without an agent.
 */
export async function removeAgent(data: FleetData, agents: Pick<Agents, 'remove'>, id: string): Promise<void> {
  const { root } = data.agent(id)
  const marked = path.join(path.dirname(root), `${mark}${id}`)
  if (existsSync(root)) move(root, marked)
  try {
    agents.remove(id)
  } catch (error) {
    if (existsSync(marked)) move(marked, root)
    throw error
  }
  await removeTree(marked)
}

/**
 * Finishes removals that a crash interrupted: gives a marked directory back to an agent that exists, and deletes it if its agent was
 * deleted. Directories of unknown agents are kept and reported, because the database may be an older or another one.
 */
export async function finishRemovals(data: FleetData, agents: Pick<Agents, 'get'>, warn: Warn): Promise<void> {
  const place = path.dirname(data.agent('any').root)
  const unknown: string[] = []
  for (const name of existsSync(place) ? readdirSync(place) : []) {
    const id = name.startsWith(mark) ? name.slice(mark.length) : name
    const isKnown = agents.get(id) !== null
    if (id === name) {
      if (!isKnown) unknown.push(name)
    } else if (!isKnown) await deleteMarked(path.join(place, name), id, warn)
    else if (existsSync(data.agent(id).root)) unknown.push(name)
    else move(path.join(place, name), data.agent(id).root)
  }
  if (unknown.length > 0)
    warn(`${place} has entries of agents that this fleet does not know. They were kept; delete them if you do not need them.`, {
      entries: unknown,
    })
}

async function deleteMarked(directory: string, agent: string, warn: Warn): Promise<void> {
  try {
    await removeTree(directory)
    warn('removed leftovers of a deleted agent', { agent })
  } catch (error) {
    warn(`leftovers of a deleted agent cannot be removed: ${messageOf(error)}`, { agent })
  }
}

/** Renames a directory durably. */
function move(from: string, to: string): void {
  renameSync(from, to)
  const parent = openSync(path.dirname(to), 'r')
  try {
    fsyncSync(parent)
  } finally {
    closeSync(parent)
  }
}
