import path from 'node:path'
import { shellWord } from '../../base/shell-word.ts'
import { newSuite } from '../../contest/suite/config/new-suite.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'

/** `paddock suite new DIRECTORY`. */
export async function suiteNew(directory: string, { starter }: { readonly starter?: boolean }): Promise<Answer<Result<'suite new'>>> {
  const made = await newSuite(directory, { starter: starter === true })
  const word = shellWord(directory)
  return {
    data: made,
    notes: [
      ...made.made.map((each) => `made ${path.relative(process.cwd(), each) || each}`),
      starter === true
        ? `name the participants in suite.yaml, then: paddock suite run ${word}`
        : `fill in suite.yaml and the brief in ${directory}, then: paddock suite run ${word}`,
    ],
  }
}
