import type { EgressRequest } from '../config/request/request.ts'
import type { InspectionWishes } from '../egress/requests/inspected-entries.ts'

/** The wishes about inspection, as the gateway's policy takes them. */
export function wishesOf({ inspect, rules, ruleSets }: Pick<EgressRequest, 'inspect' | 'rules' | 'ruleSets'>): InspectionWishes {
  return {
    inspect: inspect.map((each) => each.value),
    rules: rules.map(({ value, origin }) => ({ ...value, project: origin.from === 'project' })),
    ruleSets: ruleSets.map(({ value, origin }) => ({ ...value, project: origin.from === 'project', place: origin.place })),
  }
}
