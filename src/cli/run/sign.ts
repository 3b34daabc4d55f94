import { PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { listed } from '../../base/text.ts'
import { ofAnyRepository } from '../../git/any-repository.ts'
import { hasRepository, projectAround } from '../../git/project.ts'
import { gitHere } from '../../git/signing/git-here.ts'
import { runMarks } from '../../git/signing/run-marks.ts'
import { signCommits } from '../../git/signing/sign-commits.ts'
import { hostSearchPath, requireHostProgram } from '../../system/host-program.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { workingDirectory } from '../working-directory.ts'

/** `paddock sign`: signs the commits that runs made on the current branch. */
export async function signCommand(options: { readonly since?: string }): Promise<Answer<Result<'sign'>>> {
  const paths = resolvePaths(process.env)
  const project = projectAround(workingDirectory(), paths.userHome)
  if (!hasRepository(project)) throw new PaddockError('BAD_INPUT', `${project} is not a git repository.`)
  const searchPath = hostSearchPath(process.env['PATH'] ?? '', [project])
  const program = requireHostProgram('git', searchPath, 'signing commits')
  const git = gitHere(program, project, { ...ofAnyRepository(process.env), PATH: searchPath })
  const signed = signCommits(git, options.since === undefined ? { runs: runMarks(project, paths.state) } : { since: options.since })
  const { branch, commits, stale } = signed
  const where = branch ?? 'the detached HEAD'
  const again = commits.filter((each) => each.wasSigned).length
  return {
    data: { schemaVersion: 1, project, ...signed },
    lines: commits.map((each) => `${each.to.slice(0, 10)} ${each.subject}`),
    notes: [
      commits.length === 0
        ? `no unsigned commit of a run is on ${where}; to sign others: paddock sign --since COMMIT`
        : `signed ${commits.length === 1 ? '1 commit' : `${commits.length} commits`} on ${where}`,
      ...(again === 0 ? [] : [`${again} of them had a signature, and are signed again because they build on the others`]),
      ...(stale.length === 0 ? [] : [`still contain the unsigned commits: ${listed(stale, 5)}`]),
    ],
  }
}
