import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { finishRemovals, removeAgent } from '../../../src/fleet/agents/removed-agents.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openTestStore } from '../../support/fleet-store.ts'

/** A store with agents that each have a file. */
async function stage() {
  const store = await openTestStore()
  const data = fleetData(path.join(store.root, 'data'))
  const agents = path.join(data.root, 'agents')
  const create = (name: string): string => {
    const { id } = store.agents.create({ name, agent: 'command', command: ['true'] }, null)
    mkdirSync(data.agent(id).slot(1).work, { recursive: true })
    writeFileSync(path.join(data.agent(id).slot(1).work, 'file'), name)
    return id
  }
  return { store, data, agents, create, [Symbol.dispose]: () => store[Symbol.dispose]() }
}

it('the directory of an agent is marked when the agent is deleted from the database, and is gone afterwards', async () => {
  using at = await stage()
  const id = at.create('gone')
  const seen: string[][] = []
  const remove = (each: string): void => {
    seen.push(readdirSync(at.agents))
    at.store.agents.remove(each)
  }
  await removeAgent(at.data, { remove }, id)
  expect(seen).toEqual([[`.removing-${id}`]])
  expect([at.store.agents.get(id), readdirSync(at.agents)]).toEqual([null, []])
})

it('an agent that cannot be deleted from the database keeps its directory', async () => {
  using at = await stage()
  const id = at.create('stays')
  const remove = (): never => {
    throw new Error('disk full')
  }
  await expect(removeAgent(at.data, { remove }, id)).rejects.toThrow('disk full')
  expect(existsSync(path.join(at.data.agent(id).slot(1).work, 'file'))).toBe(true)
})

it('after a crash, a marked directory is deleted, or given back to its agent; directories without a mark stay', async () => {
  using at = await stage()
  const [deleted, known, unmarked] = [at.create('deleted'), at.create('known'), at.create('unmarked')]
  for (const id of [deleted, known]) renameSync(at.data.agent(id).root, path.join(at.agents, `.removing-${id}`))
  for (const id of [deleted, unmarked]) at.store.agents.remove(id)
  const warnings: unknown[] = []
  await finishRemovals(at.data, at.store.agents, (message, about) => void warnings.push([message, about]))
  expect(readdirSync(at.agents).sort()).toEqual([known, unmarked].sort())
  expect(existsSync(path.join(at.data.agent(known).slot(1).work, 'file'))).toBe(true)
  expect(warnings).toEqual([
    ['removed leftovers of a deleted agent', { agent: deleted }],
    [expect.stringContaining('They were kept'), { entries: [unmarked] }],
  ])
})
