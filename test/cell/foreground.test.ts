import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

const searchPath = '/usr/bin:/bin:/usr/sbin:/sbin'

/** The program is a job in a session. */
describe('2: a terminal', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync('/tmp/paddock-foreground-')
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  /** Types into the terminal as soon as it shows `ready`. Returns the ending and everything that was shown. */
  const typed = async (script: string, keys: string, env: Readonly<Record<string, string>> = {}) => {
    const start = realCells(pathsBelow(directory), { backends: [bubblewrap({ searchPath, sessionEnv: {} })] })
    const { project: _, ...spec } = plainSpec('/tmp', ['sh', '-c', script], { terminal: true, env: { PATH: searchPath, ...env } })
    const cell = await start(spec, { stdin: 'pipe', size: { columns: 80, rows: 24 } })
    cell.stderr.resume()
    let shown = ''
    for await (const chunk of cell.stdout) {
      if (!shown.includes('ready') && `${shown}${chunk}`.includes('ready')) cell.stdin?.write(keys)
      shown += String(chunk)
    }
    return { ending: (await cell.done).ending, shown }
  }

  it('Ctrl-C reaches the program and not what carries its cell', async () => {
    const { ending, shown } = await typed('trap "echo got-it; exit 7" INT; echo ready; while :; do sleep 0.1; done', '\u0003')
    expect(ending).toEqual({ kind: 'exited', code: 7 })
    expect(shown).toContain('got-it')
  })

  it('keys of a line reach a program that reads them', async () => {
    const { ending, shown } = await typed('echo ready; read line; echo "read <$line>"', 'some text\r')
    expect(ending).toEqual({ kind: 'exited', code: 0 })
    expect(shown).toContain('read <some text>')
  })

  it('the agent’s environment changes nothing before it starts, and arrives as it is', async () => {
    const env = { PERL5OPT: '-MNoSuchModule', PERL5LIB: '/nowhere', LANG: 'xx_YY.UTF-8', LC_ALL: 'xx_YY.UTF-8' }
    const { shown } = await typed('echo ready; read _; env | grep -E "^(PERL|L)" | sort', '\r', env)
    const lines = shown
      .replaceAll('\r', '')
      .split('\n')
      .filter((each) => each !== '' && each !== 'ready')
    expect(lines).toEqual(expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)))
    expect(shown).not.toMatch(/warning|PERL_BADLANG/)
  })
})
