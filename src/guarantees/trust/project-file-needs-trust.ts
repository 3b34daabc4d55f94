import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'

export const projectFileNeedsTrust: Guarantee = {
  id: 'project-file-needs-trust',
  chapter: 'trust',
  claim: "If you have not trusted a project's .paddock.yaml, or it has changed since you did, it is not obeyed and no cell starts.",
  mechanism: "paddock trust records the SHA-256 of the file by the project's path. Paddock reads exactly the bytes that it hashed.",
  kind: 'policy',
  why: "Any other content has another hash, and the trust records are in Paddock's own state, where no cell can reach them.",
  fails: ['You trust a file that you did not read: paddock trust --show prints what it asks for.'],
  probe: async (bench) => {
    const root = await bench.directory()
    await mkdir(path.join(root, 'home'))
    const wished = await bench.project({ 'given.txt': 'given' })
    const text = `schemaVersion: 1\nrun:\n  ro: [${wished}]\n`
    const project = await bench.project({ '.paddock.yaml': text })
    const look = ['run', '--quiet', '--egress', 'off', '--', 'sh', '-c', `echo ran; cat ${wished}/given.txt 2>/dev/null`]
    const first = await said(bench, look, root, project)
    if (first === null) return unenforceable('the probe cannot start another Paddock from here, so none was given a project file')
    if (first.includes('ran')) return broken('a cell was started in a project whose file nobody had trusted')
    await said(bench, ['trust'], root, project)
    const trusted = await said(bench, look, root, project)
    await writeFile(path.join(project, '.paddock.yaml'), `${text}  copy: false\n`)
    const changed = await said(bench, look, root, project)
    const without = await said(bench, look.toSpliced(1, 0, '--no-project-file'), root, project)
    if (changed?.includes('ran')) return broken('a project file was obeyed although it had changed since it was trusted')
    if (without?.includes('given')) return broken('a project file was obeyed although it was to be ignored')
    if (!trusted?.includes('given') || !without?.includes('ran'))
      return broken('a trusted project file was not obeyed, so the probe is inconclusive')
    return held(
      'a project file that asks for a mount: refused before it was trusted, obeyed afterwards, refused again when a line was added; ignored with --no-project-file',
    )
  },
}

/** Returns the standard output of a separate Paddock. Null if Paddock cannot be started. */
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
