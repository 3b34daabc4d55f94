import { useMemo } from 'react'
import { changed, dataOf, useData } from '../../data.ts'
import { useInbox } from '../../inbox.ts'
import { api, signOut } from '../../page-session.ts'
import { go } from '../../parts/page-address.ts'
import { say } from '../../parts/toast.tsx'
import { wantFocus } from '../../parts/wanted-focus.ts'
import { useMay } from '../../who.ts'
import { administration, work } from '../menu-places.ts'

export const groups = ['Agents', 'Run', 'Jobs', 'Pages'] as const
export type Group = (typeof groups)[number]

/** An entry of the palette. */
export interface Entry {
  readonly id: string
  readonly group: Group
  readonly icon: string
  readonly text: string
  readonly about?: string
  readonly state?: string
  /** The keys for the same action outside the palette. */
  readonly keys?: string
  /** The URL that the entry opens, here or in a new tab. */
  readonly to?: string
  /** Runs before the URL is opened, or instead of it. The palette stays open until this is done, and shows errors. */
  readonly run?: () => void | Promise<void>
}

/** Returns all entries that can be found or run with the user's role. */
export function useEntries(): readonly Entry[] {
  const isOwner = useMay('owner')
  const isOperator = useMay('operator')
  const inbox = useInbox().data
  const agents = useData(
    ['agents', 'palette'],
    async () => dataOf(await api.GET('/api/v1/agents', { params: { query: { limit: 200 } } })).items,
  )
  const jobs = useData(['jobs', 'palette'], async () => dataOf(await api.GET('/api/v1/jobs', { params: { query: { limit: 50 } } })).items)
  return useMemo((): readonly Entry[] => {
    const all = agents.data ?? []
    return [
      ...all.map(({ id, name, state }) => ({ id, group: 'Agents' as const, icon: 'fleet', text: name, state, to: `/agents/${name}` })),
      ...(inbox ?? []).map(({ id, text }) => ({
        ...{ id: `answer-${id}`, group: 'Run' as const, icon: 'wait', text: `Answer: ${text}`, to: `/inbox/${id}` },
      })),
      ...(isOperator ? all : []).flatMap(ofAgent),
      { id: 'new-agent', group: 'Run', icon: 'plus', text: 'New agent', to: '/new-agent' },
      { id: 'sign-out', group: 'Run', icon: 'off', text: 'Sign out', run: () => signOut().then(() => go('/login')) },
      ...(jobs.data ?? []).map(({ id, promptStart, agent, state }) => ({
        ...{ id, group: 'Jobs' as const, icon: 'jobs', text: promptStart, state, to: `/jobs/${id}` },
        ...(agent === null ? {} : { about: agent }),
      })),
      ...[...work, ...administration]
        .filter(({ role }) => role === undefined || isOwner)
        .map(({ name, title, icon, key }) => ({
          ...{ id: name, group: 'Pages' as const, icon, text: title, to: `/${name}` },
          ...(key === undefined ? {} : { keys: `g ${key}` }),
        })),
      ...all.flatMap(({ id, name }) => [
        ...(isOwner
          ? [{ id: `audit-${id}`, group: 'Pages' as const, icon: 'audit', text: `Audit of ${name}`, to: `/audit?agent=${name}` }]
          : []),
        { id: `egress-${id}`, group: 'Pages' as const, icon: 'egress', text: `Egress of ${name}`, to: `/egress?agent=${name}` },
      ]),
    ]
  }, [agents.data, jobs.data, inbox, isOwner, isOperator])
}

function ofAgent({ id, name, wanted }: { readonly id: string; readonly name: string; readonly wanted: string }): readonly Entry[] {
  const group = 'Run' as const
  return [
    {
      ...{ id: `give-${id}`, group, icon: 'send', text: `New job for ${name}`, to: `/agents/${name}/jobs` },
      run: () => wantFocus('prompt', false),
    },
    wanted === 'stopped'
      ? { id: `start-${id}`, group, icon: 'play', text: `Start ${name}`, run: () => want('start', id, name) }
      : { id: `stop-${id}`, group, icon: 'stop', text: `Stop ${name}`, about: 'keeps its queue', run: () => want('stop', id, name) },
    { id: `terminal-${id}`, group, icon: 'term', text: `Open a terminal in ${name}`, to: `/agents/${name}/terminal` },
  ]
}

const done = { start: 'started', stop: 'stopped' } as const

async function want(what: keyof typeof done, agent: string, name: string): Promise<void> {
  dataOf(await api.POST(`/api/v1/agents/{agent}/${what}`, { params: { path: { agent } } }))
  changed(['agent'], ['agents'], ['fleet'])
  say(`${name} is ${done[what]}`)
}
