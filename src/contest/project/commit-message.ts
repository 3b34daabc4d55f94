import type { ProjectWork } from './submission.ts'

/** Returns the message of a commit that applies work of a contest. Trailers name its author and the seal (git-interpret-trailers(1)). */
export function messageFor({ config, ref }: Pick<ProjectWork, 'config' | 'ref'>, subject: string | undefined): string {
  const role = config.participants.find((each) => each.name === ref.participant)
  const trailers = [
    ['Paddock-Agent', role?.agent],
    ['Paddock-Model', role?.model],
    ['Paddock-Contest', `${config.name}, round ${ref.round}, ${ref.participant}`],
    ['Paddock-Seal', ref.tree],
  ]
  const lines = trailers.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value.replace(/\s+/g, ' ')}`]))
  return `${subject ?? `Apply the work of ${ref.participant} in ${config.name}`}\n\n${lines.join('\n')}`
}
