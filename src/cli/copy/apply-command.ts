import { exitCodes, PaddockError } from '../../base/errors.ts'
import { applyCopy } from '../../copy/apply-copy.ts'
import { holdCopy } from '../../copy/hold-copy.ts'
import { recoveredLines } from '../../copy/open-copy.ts'
import { selectChanges } from '../../copy/reviewing/select-changes.ts'
import { shownPath } from '../../credentials/scan/secret-finding.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { say } from '../terminal/terminal-output.ts'
import { workingDirectory } from '../working-directory.ts'
import { appliedLines, endLines } from './apply-lines.ts'
import { cliCopyHost } from './command-copy-host.ts'
import { secretWords } from './secret-lines.ts'

export interface ApplyOptions {
  readonly path: readonly string[]
  readonly commit?: boolean
  readonly message?: string
  readonly hooks?: boolean
  readonly keep?: boolean
  readonly runLater?: boolean
  readonly allowSecrets?: boolean
}

/** `paddock apply`: applies an agent's changes in a copy to the project. */
export async function applyCommand(words: readonly string[], options: ApplyOptions): Promise<Answer<Result<'apply'>>> {
  if (options.message !== undefined && options.commit !== true)
    throw new PaddockError('BAD_INPUT', '-m requires --commit.', { hint: 'paddock apply --commit -m MESSAGE' })
  if (options.hooks === true && options.commit !== true)
    throw new PaddockError('BAD_INPUT', '--hooks requires --commit.', { hint: 'paddock apply --commit --hooks' })
  const host = cliCopyHost()
  const cwd = workingDirectory()
  using copy = await holdCopy(words, host.paths, { cwd, command: 'paddock apply' })
  const { id, project } = copy.record
  const wish = {
    commit: options.commit === true ? { message: options.message, hooks: options.hooks === true } : null,
    keep: options.keep === true,
    runLater: options.runLater === true,
    allowSecrets: options.allowSecrets === true,
  }
  const { applied, committed, problem, left, scan, isKept } = await applyCopy(
    copy,
    {
      ...wish,
      select: (changes) => selectChanges(changes, { project, cwd, words: copy.words, paths: options.path }),
      describe: (file, findings) => `${shownPath(file)} (${secretWords(findings)})`,
      onRecovered: (recovered) => {
        for (const each of recoveredLines(id, recovered)) say(each)
      },
    },
    host,
  )
  if (problem !== null) say(problem)
  return {
    data: {
      ...{ schemaVersion: 1, id, project, ...applied, committed, left },
      ...{ leftOut: scan.leftOutCount, ignored: scan.ignoredCount, kept: isKept },
    },
    lines: appliedLines(applied),
    notes: endLines({ applied, committed, left, scan, isKept, id }),
    exitCode: committed === false ? exitCodes.no : exitCodes.done,
  }
}
