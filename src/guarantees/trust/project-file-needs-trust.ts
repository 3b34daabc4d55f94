import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'

export const projectFileNeedsTrust: Guarantee = {
  id: 'project-file-needs-trust',
  chapter: 'trust',
  claim: 'A project’s .paddock.yaml that you did not agree to, or that has changed since, is not obeyed: no cell starts.',
  mechanism:
    'paddock trust records the SHA-256 of the file by the project’s path; the very bytes that were hashed are the ones that are read.',
  kind: 'policy',
  why: 'Any other content has another hash, and the list of what you agreed to is in Paddock’s own state, where no cell is.',
  fails: ['You agree to a file that you did not read: paddock trust --show says what it asks for.'],
  probe: async (bench) => {
    const root = await bench.directory()
    await mkdir(path.join(root, 'home'))
    const wished = await bench.project({ 'given.txt': 'given' })
    const text = `schemaVersion: 1\nrun:\n  ro: [${wished}]\n`
    const project = await bench.project({ '.paddock.yaml': text })
    const look = ['run', '--quiet', '--egress', 'off', '--', 'sh', '-c', `echo ran; cat ${wished}/given.txt 2>/dev/null`]
    const first = await said(bench, look, root, project)
    if (first === null) return unenforceable('no Paddock of its own can be started from here, so none was given a project file')
    if (first.includes('ran')) return broken('a cell was started in a project whose file nobody had agreed to')
    await said(bench, ['trust'], root, project)
    const trusted = await said(bench, look, root, project)
    await writeFile(path.join(project, '.paddock.yaml'), `${text}  copy: false\n`)
    const changed = await said(bench, look, root, project)
    const without = await said(bench, look.toSpliced(1, 0, '--no-project-file'), root, project)
    if (changed?.includes('ran')) return broken('a project file that had changed since it was agreed to was obeyed')
    if (without?.includes('given')) return broken('a project file was obeyed although it was to be left alone')
    if (!trusted?.includes('given') || !without?.includes('ran'))
      return broken('a trusted project file was not obeyed, so nothing was shown')
    return held(
      'a project file that asks for a mount: refused before it was trusted, obeyed after, refused again when a line was added; left alone with --no-project-file',
    )
  },
}

/** Returns the standard output of a separate Paddock. Null if none can be started. */
async function said(bench: ProbeBench, args: readonly string[], root: string, cwd: string): Promise<string | null> {
  const child = bench.startPaddock(args, { root, cwd })
  if (child === null) return null
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += String(chunk)
  })
  child.stderr?.resume()
  await new Promise((resolve) => child.once('close', resolve))
  return text
}
