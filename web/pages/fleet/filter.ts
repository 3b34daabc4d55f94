import type { Doing } from './use-fleet.ts'

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

const order: readonly Doing['state'][] = ['waiting', 'failing', 'limited', 'working', 'idle', 'stopped']
export const states = order

/** The order in which agents are read: those that need a human are first. */
export function inOrder(agents: readonly Doing[]): readonly Doing[] {
  return [...agents].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state) || one.name.localeCompare(other.name))
}
