import type { EgressRequest } from '../config/request/request.ts'
import type { InspectionWishes } from '../egress/requests/inspected-entries.ts'

/** Returns the wishes for inspection in the form that the gateway's policy expects. */
export function wishesOf({ inspect, rules, ruleSets }: Pick<EgressRequest, 'inspect' | 'rules' | 'ruleSets'>): InspectionWishes {
  return {
    inspect: inspect.map((each) => each.value),
    rules: rules.map(({ value, origin }) => ({ ...value, project: origin.from === 'project' })),
    ruleSets: ruleSets.map(({ value, origin }) => ({ ...value, project: origin.from === 'project', place: origin.place })),
  }
}
