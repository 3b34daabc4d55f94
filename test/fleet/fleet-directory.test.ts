import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/files/sqlite.ts'
import { fleetData } from '../../src/fleet/data-directory.ts'
import { type Fleet, openFleet } from '../../src/fleet/fleet.ts'
import { temporary } from '../support/temporary.ts'

const manifest = { name: 'kept', agent: 'command', command: ['true'] } as const
const never = async (): Promise<never> => Promise.reject(new Error('Nothing is started here.'))

/** Opens a fleet that starts nothing, and collects its warnings. */
async function open(root: string, warnings: unknown[] = []): Promise<Fleet> {
  return openFleet({
    data: fleetData(root),
    hosts: { connect: async () => null, view: async () => null, start: never },
    warn: (message, about) => void warnings.push([message, about]),
  })
}

/** Makes a fleet with one agent that has a file, and closes it. Returns the id of the agent and its file. */
async function made(root: string): Promise<{ readonly id: string; readonly file: string }> {
  await using fleet = await open(root)
  const { id } = fleet.create({ ...manifest, command: [...manifest.command] }, null)
  const work = fleetData(root).agent(id).slot(1).work
  mkdirSync(work, { recursive: true })
  writeFileSync(path.join(work, 'thesis.txt'), 'text')
  return { id, file: path.join(work, 'thesis.txt') }
}

function tree(root: string): string[] {
  return readdirSync(root, { recursive: true }).map(String).sort()
}

describe('a directory that is not a fleet', () => {
  const cases: Record<string, (root: string) => void> = {
    'a project with a directory agents': (root) => {
      mkdirSync(path.join(root, 'agents/reviewer'), { recursive: true })
      writeFileSync(path.join(root, 'agents/reviewer/prompt.md'), 'text')
    },
    'a directory with a file': (root) => writeFileSync(path.join(root, 'README.md'), 'text'),
    'a directory with the database of another program': (root) => {
      const db = openSqlite(path.join(root, 'fleet.db'))
      db.exec('CREATE TABLE cars (id)')
      db.close()
      mkdirSync(path.join(root, 'agents/smith'), { recursive: true })
    },
    'a directory with a file fleet.db that is not a database': (root) => {
      writeFileSync(path.join(root, 'fleet.db'), 'text')
      mkdirSync(path.join(root, 'agents/smith'), { recursive: true })
    },
  }
  it.each(Object.keys(cases))('is refused and keeps everything: %s', async (name) => {
    await using directory = await temporary()
    const root = directory.at('data')
    mkdirSync(root, { mode: 0o700 })
    cases[name]?.(root)
    const before = tree(root)
    await expect(open(root)).rejects.toMatchObject({ code: 'CONFLICT', hint: expect.stringContaining('--data') })
    expect(tree(root)).toEqual(before)
  })

  it('is used if it is empty, also at the root of a file system', async () => {
    await using directory = await temporary()
    const root = directory.at('data')
    mkdirSync(path.join(root, 'lost+found'), { recursive: true, mode: 0o700 })
    await using fleet = await open(root)
    expect(fleet.agents.list({ after: null, limit: 1, archived: true })).toEqual([])
  })
})

describe('a fleet without its database', () => {
  const losses: Record<string, (file: string) => void> = {
    missing: (file) => rmSync(file),
    empty: (file) => truncateSync(file),
    replaced: (file) => {
      rmSync(file)
      openSqlite(file).exec('PRAGMA user_version=0')
    },
  }
  it.each(Object.keys(losses))('is refused and keeps its agents: %s', async (how) => {
    await using directory = await temporary()
    const root = directory.at('data')
    const { file } = await made(root)
    losses[how]?.(fleetData(root).database)
    await expect(open(root)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/agents with content, but .*fleet\.db is missing or empty, so nothing was changed\.$/),
    })
    expect(existsSync(file)).toBe(true)
  })

  it('keeps and reports the directories of agents that an older or another database does not know', async () => {
    await using directory = await temporary()
    const [root, other] = [directory.at('data'), directory.at('other')]
    const { id, file } = await made(root)
    await made(other)
    for (const each of ['', '-wal', '-shm']) {
      rmSync(`${fleetData(root).database}${each}`, { force: true })
      if (existsSync(`${fleetData(other).database}${each}`))
        renameSync(`${fleetData(other).database}${each}`, `${fleetData(root).database}${each}`)
    }
    const warnings: unknown[] = []
    await using _fleet = await open(root, warnings)
    expect(existsSync(file)).toBe(true)
    expect(warnings).toEqual([[expect.stringContaining('They were kept'), { entries: [id] }]])
  })
})

it('a directory of which others may change the content is refused before anything in it is read or written', async () => {
  await using directory = await temporary()
  const root = directory.at('data')
  const { file } = await made(root)
  const before = tree(root)
  chmodSync(root, 0o770)
  await expect(open(root)).rejects.toMatchObject({ code: 'NOT_ALLOWED', message: expect.stringContaining('has mode 770') })
  expect([tree(root), existsSync(file)]).toEqual([before, true])
})
