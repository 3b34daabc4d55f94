import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'

export const inputIsReadOnly: Guarantee = {
  id: 'input-is-read-only',
  chapter: 'terminal',
  claim: 'A file that you give a cell as its standard input cannot be written through it.',
  mechanism: 'Paddock reads such a file itself, and the cell gets an unnamed copy. Only pipes and sockets are passed on as they are.',
  kind: 'structural',
  why: 'An open file can be reopened for writing through /proc/self/fd (proc(5)), but the file that the cell has open is not yours.',
  fails: ["A pipe is passed on, so the program at its other end reads or writes the cell's data."],
  probe: async (bench) => {
    const root = await bench.directory()
    await mkdir(path.join(root, 'home'))
    const project = await bench.project()
    const given = await bench.project({ input: 'untouched\n' })
    const input = path.join(given, 'input')
    const descriptor = openSync(input, 'r+')
    try {
      const script = `read -r line; echo "read $line"; for each in /dev/stdin /proc/self/fd/0 /proc/$$/fd/0; do (echo planted >> $each; chmod 666 $each; echo planted >> $each; : > $each) 2>/dev/null; done; echo tried >&0; echo end`
      const child = bench.startPaddock(['run', '--quiet', '--egress', 'off', '--', 'sh', '-c', script], {
        root,
        cwd: project,
        stdin: descriptor,
      })
      if (child === null) return unenforceable('the probe cannot start another Paddock from here, so none was given a file')
      let said = ''
      child.stdout?.on('data', (chunk) => {
        said += String(chunk)
      })
      child.stderr?.resume()
      const code = await new Promise((resolve) => child.once('close', resolve))
      const text = readFileSync(input, 'utf8')
      if (text !== 'untouched\n') return broken(`the file that was given as input now says ${JSON.stringify(text.slice(0, 60))}`)
      if (!said.includes('read untouched') || !said.includes('end'))
        return broken(`the cell did not finish (${code}), so the probe is inconclusive`)
      return held(
        'a cell read a file from its standard input and tried to write, append and truncate it through /dev/stdin and /proc: the file is unchanged',
      )
    } finally {
      closeSync(descriptor)
    }
  },
}
