import type { Doing } from './activity-text.ts'

/** Returns whether an agent matches all terms of a filter: `label:docs kind:claude state:idle`, and free text. */
export function matches(agent: Doing, filter: string): boolean {
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => {
      const [, field, value = ''] = /^(label|kind|state):(.*)$/.exec(word) ?? []
      if (field === 'label') return agent.labels.some((each) => each.includes(value))
      if (field === 'kind') return `${agent.agent} ${agent.model ?? ''}`.includes(value)
      if (field === 'state') return agent.state.startsWith(value)
      return `${agent.name} ${agent.now?.text ?? ''} ${agent.last?.promptStart ?? ''}`.toLowerCase().includes(word)
    })
}

/** The order of states in lists: agents that need a human come first. */
export const states: readonly Doing['state'][] = ['waiting', 'failing', 'limited', 'working', 'starting', 'idle', 'stopped']
