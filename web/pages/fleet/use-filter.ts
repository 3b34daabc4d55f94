import { useParameter } from '../../parts/page-address.ts'
import type { Doing } from './activity-text.ts'
import { matches } from './agent-filter.ts'

/** Returns the filter in the URL. */
export function useFilter() {
  const [state, setState] = useParameter('state')
  const [text, setText] = useParameter('q')
  const [label, setLabel] = useParameter('label')
  return {
    ...{ state, setState, text, setText, label, setLabel },
    /** Whether the filter matches all agents. */
    isPlain: state === '' && text === '' && label === '',
    holds: (agent: Doing): boolean =>
      (state === '' || agent.state === state) && (label === '' || agent.labels.includes(label)) && matches(agent, text),
  }
}
