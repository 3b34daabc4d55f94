import { useParameter } from '../../parts/address.ts'
import type { Doing } from './doing.ts'
import { matches } from './filter.ts'

/** Which agents are wanted, as the address says it. */
export function useFilter() {
  const [state, setState] = useParameter('state')
  const [text, setText] = useParameter('q')
  const [label, setLabel] = useParameter('label')
  return {
    ...{ state, setState, text, setText, label, setLabel },
    /** It leaves nothing out. */
    isPlain: state === '' && text === '' && label === '',
    holds: (agent: Doing): boolean =>
      (state === '' || agent.state === state) && (label === '' || agent.labels.includes(label)) && matches(agent, text),
  }
}
