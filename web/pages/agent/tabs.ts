import { type ComponentType, lazy } from 'react'
import type { Agent } from './agent-data.ts'

interface Tab {
  readonly agent: Agent
}

const tab = <Module extends object>(load: () => Promise<Module>, name: keyof Module) =>
  lazy(async () => ({ default: (await load())[name] as ComponentType<Tab> }))

/** The tabs of an agent. Each is loaded when it is opened. */
export const tabs: readonly (readonly [name: string, title: string, View: ReturnType<typeof tab>])[] = [
  ['jobs', 'Jobs', tab(() => import('./agent-jobs.tsx'), 'AgentJobs')],
  ['conversation', 'Conversation', tab(() => import('./conversation.tsx'), 'Conversation')],
  ['files', 'Files', tab(() => import('./files.tsx'), 'Files')],
  ['terminal', 'Terminal', tab(() => import('../terminal/terminals.tsx'), 'Terminals')],
  ['memory', 'Memory', tab(() => import('./memory.tsx'), 'Memory')],
  ['schedules', 'Schedules', tab(() => import('./schedules.tsx'), 'Schedules')],
  ['leases', 'Leases', tab(() => import('./leases.tsx'), 'Leases')],
  ['policy', 'Policy', tab(() => import('./policy.tsx'), 'PolicyTab')],
  ['manifest', 'Manifest', tab(() => import('./manifest.tsx'), 'ManifestTab')],
]
