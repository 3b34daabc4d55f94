import type { Doing } from './doing.ts'

/** `label:docs kind:claude state:idle` and free text: all of them hold. */
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

/** In the order in which agents are read: those that need a human are first. */
export const states: readonly Doing['state'][] = ['waiting', 'failing', 'limited', 'working', 'starting', 'idle', 'stopped']
