import * as z from 'zod'
import { readRegular } from '../../files/read-regular.ts'
import type { Layout } from '../config/contest-layout.ts'
import type { ContestConfig } from '../config/contest-schema.ts'
import type { Denied } from '../ranking/contest-summary.ts'
import type { Findings } from '../ranking/findings.ts'
import type { ContestStatus } from '../state/contest-state.ts'

const mostShown = 100
const maxBytes = 16 * 1024 * 1024
const cellSchema = z.object({ egress: z.object({ denied: z.array(z.object({ host: z.string(), count: z.number() })) }) })

/** Returns the hosts that the cells of a round and its judging were denied, from the cells' reports. A missing report counts as empty. */
export async function deniedIn(
  layout: Layout,
  { participants, judges }: ContestConfig,
  status: ContestStatus,
): Promise<Findings['denied']> {
  const gather = async (
    names: readonly { readonly name: string }[],
    cells: (name: string) => readonly string[],
  ): Promise<ReadonlyMap<string, Denied>> => {
    const found = new Map<string, Denied>()
    for (const { name } of names) found.set(name, await together(cells(name)))
    return found
  }
  return {
    participant: await gather(participants, (name) => {
      const attempt = status.participants[name]?.attempt ?? 0
      return attempt === 0 ? [] : [layout.attempt(status.round, name, attempt).cell]
    }),
    judge: await gather(judges, (name) =>
      status.tasks
        .filter(({ judge, attempt }) => judge === name && attempt > 0)
        .map(({ id, attempt }) => layout.task(status.judging, name, id).attempt(attempt).cell),
    ),
  }
}

async function together(cells: readonly string[]): Promise<Denied> {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const file = await readRegular(cell, maxBytes)
    const read = file.ok ? cellSchema.safeParse(parsed(file.bytes.toString('utf8'))) : null
    for (const { host, count } of read?.success === true ? read.data.egress.denied : []) counts.set(host, (counts.get(host) ?? 0) + count)
  }
  return [...counts]
    .map(([host, count]) => ({ host, count }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostShown)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
