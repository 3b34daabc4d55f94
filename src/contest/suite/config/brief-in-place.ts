import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { type Contest, contestOf } from '../../config/brief.ts'
import { Layout } from '../../config/contest-layout.ts'
import { mustStayInside } from '../../config/read-text.ts'
import { composeContest } from './compose.ts'
import { type GoodBrief, readTexts, type Suite } from './read-suite.ts'

/** The directory of a suite as that of a contest, with the texts and raw/ of one brief. */
class BriefLayout extends Layout {
  readonly #brief: string

  constructor(root: string, brief: string) {
    super(root)
    this.#brief = path.join(root, brief)
  }

  override get brief(): string {
    return path.join(this.#brief, 'BRIEF.md')
  }
  override get judgeBrief(): string {
    return path.join(this.#brief, 'JUDGE_BRIEF.md')
  }
  override get raw(): string {
    return path.join(this.#brief, 'raw')
  }
}

/**
 * Returns the contest of a brief with the paths of the suite itself, so that nothing has to be copied to check it. It cannot be run.
 * @throws PaddockError like `readContest`
 */
export async function contestInPlace(suite: Suite, { name, path: at, written }: GoodBrief): Promise<Contest> {
  const texts = await readTexts(suite.layout, at)
  const root = await realpath(suite.layout.root)
  const directory = await realpath(path.join(suite.layout.root, at))
  const brief = path.relative(root, directory)
  await mustStayInside(directory, path.join(directory, 'raw'))
  const contests = suite.briefs.length * suite.config.repeats
  const { contest } = composeContest(suite.written, name, written, contests, { suite: '.', brief, raw: path.join(brief, 'raw') })
  return await contestOf(stringify(contest), new BriefLayout(root, brief), {
    brief: texts['BRIEF.md'],
    judgeBrief: texts['JUDGE_BRIEF.md'],
  })
}
