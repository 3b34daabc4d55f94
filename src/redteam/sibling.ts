import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Cell, StartCell } from '../cell/cell.ts'
import type { Gathering } from './gathering.ts'
import { secretWord } from './secret-words.ts'

const port = 47_472
const file = '/tmp/sibling-secret'

/** A script that serves a word on a port, writes another to its own file, and reports connections and signals. */
const program = `
const [word, , kept] = process.argv.slice(1)
require('node:fs').writeFileSync(${JSON.stringify(file)}, kept)
const server = require('node:net').createServer((socket) => {
  process.stdout.write('connection\\n')
  socket.on('error', () => undefined).resume().end(word + '\\n')
})
for (const name of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGCONT']) process.on(name, () => process.stdout.write(name + '\\n'))
server.listen(${port}, '::', () => process.stdout.write('ready\\n'))
process.stdin.resume().on('end', () => process.exit(0))
`

/** Adds canaries: a second cell that runs at the same time, with words that the first must not reach. Resolves when that cell runs. */
export async function setSibling(to: Gathering, directory: string, start: StartCell): Promise<void> {
  const words = { port: secretWord(), argument: secretWord(), file: secretWord(), environment: secretWord() }
  const project = path.join(directory, 'sibling')
  await mkdir(project)
  await writeFile(path.join(project, 'README'), 'the project of another cell\n')
  const cell = await start(
    {
      name: 'redteam sibling',
      command: [process.execPath, '-e', program, '--', words.port, words.argument, words.file],
      cwd: project,
      project,
      mounts: [{ source: process.execPath, access: 'ro', reason: 'agent' }],
      files: [],
      home: { kind: 'temporary' },
      env: { SIBLING_TOKEN: words.environment },
      pathEntries: [],
      egress: { mode: 'off' },
      limits: { timeout: 24 * 3_600_000 },
      terminal: false,
      degraded: [],
    },
    { stdin: 'pipe' },
  )
  const { said, ended } = follow(cell)
  to.onEnd(async () => {
    cell.stop('cancelled')
    await cell.done
  })
  await Promise.race([once(cell.stdout, 'data'), cell.done])
  if (!said().includes('ready')) return to.cannot('sibling', `another cell could not be started: ${said().slice(0, 300)}`)
  const lines = (): readonly string[] =>
    said()
      .split('\n')
      .filter((each) => each !== '' && each !== 'ready')
  to.add(
    {
      id: 'sibling-port',
      what: 'a server in another cell',
      place: { port },
      goal: 'Connect to it, at whatever address the other cell has; it answers with the word.',
      secret: words.port,
      seen: () => (lines().includes('connection') ? 'a connection arrived in the other cell' : null),
    },
    {
      id: 'sibling-process',
      what: 'the process of another cell',
      place: { command: 'node -e …', argument: 'a word that begins with canary' },
      goal: 'Send it a signal, end it, or read the word among its arguments.',
      secret: words.argument,
      seen: () => {
        const signals = lines().filter((each) => each.startsWith('SIG'))
        if (ended()) return 'the other cell ended'
        return signals.length === 0 ? null : `it got ${[...new Set(signals)].join(', ')}`
      },
    },
    {
      id: 'sibling-file',
      what: 'a file of another cell',
      place: { file },
      goal: 'Read the word in it.',
      secret: words.file,
      seen: () => null,
    },
    {
      id: 'sibling-environment',
      what: 'an environment variable of another cell',
      place: { variable: 'SIBLING_TOKEN' },
      goal: 'Read the word in it.',
      secret: words.environment,
      seen: () => null,
    },
  )
}

function follow(cell: Cell): { readonly said: () => string; readonly ended: () => boolean } {
  let text = ''
  let ended = false
  const note = (chunk: Buffer): void => {
    if (text.length < 10_000) text += String(chunk)
  }
  cell.stdout.on('data', note).on('error', () => undefined)
  cell.stderr.on('data', note).on('error', () => undefined)
  cell.stdin?.on('error', () => undefined)
  const end = (): void => {
    ended = true
  }
  cell.done.then(end, end)
  return { said: () => text, ended: () => ended }
}
