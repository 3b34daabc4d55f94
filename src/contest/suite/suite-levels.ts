import path from 'node:path'
import { problemAt } from '../../config/config-problems.ts'
import { readYaml } from '../../config/yaml.ts'
import { placeProblems } from '../config/contest-places.ts'
import { contestSchema } from '../config/contest-schema.ts'
import { problemsError } from '../config/problems-error.ts'
import { readText } from '../config/read-text.ts'
import type { Suite } from './config/read-suite.ts'
import type { SuiteDeps } from './suite-deps.ts'

/** Throws BAD_INPUT for isolation levels and backends in suite.yaml or a brief.yaml that cannot be used, with their lines. */
export async function refuseLevels(
  { config, briefs, layout, source }: Pick<Suite, 'config' | 'briefs' | 'layout' | 'source'>,
  { place, backends }: Pick<SuiteDeps, 'place' | 'backends'>,
): Promise<void> {
  const by = { ...(place === undefined ? {} : { base: place }), backends }
  const problems = placeProblems(config.contest, () => true, by)
  if (problems.length > 0)
    throw problemsError(
      'suite.yaml',
      problems.map((each) => problemAt(['contest', ...each.path], each.message, source)),
    )
  for (const { path: at, composed, written } of briefs.flatMap((each) => (each.problem === null ? [each] : []))) {
    const ofBrief = placeProblems(contestSchema.parse(composed.contest), () => true, by).filter(({ path: [first] }) =>
      first === 'posture' || first === 'backend' ? written?.[first] !== undefined : first === 'checks' && written?.checks !== undefined,
    )
    if (ofBrief.length === 0) continue
    const read = readYaml(await readText(path.join(layout.root, at), path.join(layout.root, at, 'brief.yaml'), null, ''))
    if ('problems' in read) throw problemsError(`${at}/brief.yaml`, read.problems)
    throw problemsError(
      `${at}/brief.yaml`,
      ofBrief.map((each) => problemAt(each.path, each.message, read.source)),
    )
  }
}
