import { lstat, mkdir, readdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PaddockError } from '../../../base/errors.ts'
import { writeAtomic } from '../../../files/atomic.ts'
import { removeTree } from '../../../files/remove-tree.ts'
import { refuseUnmakeable } from '../../config/new-contest.ts'
import { briefTemplate } from '../../config/templates.ts'
import { copyStart } from '../../run/start/copy-start.ts'
import { nameOf } from './find-briefs.ts'
import { SuiteLayout } from './suite-layout.ts'
import { briefYamlTemplate, suiteTemplate } from './template.ts'

const above = import.meta.url.endsWith('.ts') ? '../../../../' : '../'
const starter = fileURLToPath(new URL(`${above}examples/starter/briefs`, import.meta.url))

/** The files and briefs that `suite new` created. */
export interface MadeSuite {
  readonly schemaVersion: 1
  readonly suite: string
  readonly made: readonly string[]
  /** The names of all briefs. */
  readonly briefs: readonly string[]
}

/**
 * `suite new`: creates suite.yaml, and one brief to fill in or, with `starter`, the briefs that come with Paddock. Existing files and briefs
 * are never changed. A killed command can be repeated.
 * @throws PaddockError BAD_INPUT for an existing suite
 */
export async function newSuite(directory: string, options: { readonly starter: boolean }): Promise<MadeSuite> {
  const layout = new SuiteLayout(directory)
  const { root } = layout
  if (await exists(layout.config))
    throw new PaddockError('BAD_INPUT', `There is already a suite in ${root}.`, { hint: 'Choose another directory, or run that suite' })
  refuseUnmakeable(root)
  const briefs = path.join(root, 'briefs')
  await mkdir(briefs, { recursive: true })
  const made: string[] = []
  const names = options.starter ? (await readdir(starter)).toSorted() : ['first']
  for (const name of names) {
    const at = path.join(briefs, name)
    if (await exists(at)) continue
    const making = path.join(briefs, `.${name}.making`)
    await removeTree(making)
    if (options.starter) await copyStart(path.join(starter, name), making)
    else {
      await mkdir(making)
      await writeAtomic(path.join(making, 'BRIEF.md'), briefTemplate)
      await writeAtomic(path.join(making, 'brief.yaml'), briefYamlTemplate)
    }
    await rename(making, at)
    made.push(at)
  }
  // suite.yaml is written last: as long as it is missing, the command can be repeated.
  await writeSuiteTemplate(layout)
  return { schemaVersion: 1, suite: root, made: [layout.config, ...made], briefs: names }
}

/** Writes suite.yaml if it does not exist. */
export async function writeSuiteTemplate({ root, config }: SuiteLayout): Promise<void> {
  if (await exists(config)) return
  await writeAtomic(config, suiteTemplate(nameOf(path.basename(root)).slice(0, 63) || 'my-suite'))
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null
}
