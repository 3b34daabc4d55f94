import { existsSync, readFileSync } from 'node:fs'

/** The control groups that a record names. */
export function groupsOf(record: string): readonly string[] {
  return existsSync(record)
    ? readFileSync(record, 'utf8')
        .split('\n')
        .filter((each) => each !== '')
        .flatMap((each) => (JSON.parse(each) as { cgroups?: readonly string[] }).cgroups ?? [])
    : []
}
