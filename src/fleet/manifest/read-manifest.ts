import { PaddockError } from '../../base/errors.ts'
import { firstLines } from '../../base/text.ts'
import { type Problem, problemAt, problemsOf } from '../../config/config-problems.ts'
import { readYaml } from '../../config/yaml.ts'
import { refuseEgressWithoutEffect } from '../../run/egress-without-effect.ts'
import { cliProblems, type KeyProblem, modelProblems } from './agent-kinds.ts'
import { type Manifest, manifestSchema } from './manifest-schema.ts'
import { manifestRequest } from './request-of-manifest.ts'

/** The largest manifest, in bytes. */
export const mostManifestBytes = 256 * 1024
/** The most words and marks of a manifest, so that the server, which reads manifests in its own process, reads one within 50 ms. */
const mostManifestTokens = 10_000

/**
 * Reads a manifest in YAML 1.2, which includes JSON. `agents`: the names of all known agents.
 * @throws PaddockError BAD_INPUT with the line, the key, the mistake and the correct form, for each problem
 */
export function readManifest(text: string, agents: readonly string[]): Manifest {
  if (Buffer.byteLength(text) > mostManifestBytes) throw new PaddockError('BAD_INPUT', 'The manifest is larger than 256 KiB.')
  const read = readYaml(text, mostManifestTokens)
  if ('problems' in read) throw bad(read.problems)
  const { source, data } = read
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new PaddockError('BAD_INPUT', 'The manifest is not a group of keys.', { hint: 'The least is {name: docs, agent: claude}' })
  const parsed = manifestSchema.safeParse(data)
  if (!parsed.success) throw bad(problemsOf(parsed.error, manifestSchema, data, source, { what: 'a manifest', renamed: {} }))
  const beyond = parsed.data.kind === 'model' ? modelProblems(parsed.data, data) : cliProblems(parsed.data, agents)
  const problems = [...beyond, ...commonProblems(parsed.data)].map((each) => problemAt(each.path, each.message, source))
  if (problems.length > 0) throw bad(problems)
  // Read hosts, rules and secrets now, so that none of them is refused only when the first job runs.
  const { egress, repositories } = manifestRequest(parsed.data)
  if (!egress.private) refuseEgressWithoutEffect(egress, repositories.length > 0)
  return parsed.data
}

function commonProblems({ workspace, parallel = 1 }: Manifest): readonly KeyProblem[] {
  if (parallel === 1 || typeof workspace !== 'object' || !('project' in workspace)) return []
  return [
    {
      path: ['parallel'],
      message: 'must be 1: jobs that work in one project would write over each other. Use workspace.copy or workspace.worktree',
    },
  ]
}

function bad(problems: readonly Problem[]): PaddockError {
  const shown = problems.map((each) => `line ${each.line}: ${each.key === '' ? '' : `${each.key} `}${each.message}`)
  return new PaddockError('BAD_INPUT', firstLines(shown, 20).join('\n'), { hint: 'Run: paddock agent schema' })
}
