import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ProgramPlace, paddockProgram } from '../../ci/job-program.ts'
import { findProgram } from '../../src/system/program-in-path.ts'
import { freshDirectory } from '../support/fresh-directory.ts'

/** Stands for install.sh: reports how it was started, and installs a command that prints its version. */
const installer = `#!/bin/sh
echo "install: $*" >&2
[ "$1" = --from ] && [ "$3" = --prefix ] || exit 2
mkdir -p "$4/bin" && printf '#!/bin/sh\\necho from-a-script\\n' > "$4/bin/paddock" && chmod +x "$4/bin/paddock"
`

describe('the input from of a job', () => {
  let root: string
  let lines: string[]
  let place: ProgramPlace
  let open: AsyncDisposableStack
  beforeEach(() => {
    root = freshDirectory('/tmp/paddock-job-program-')
    lines = []
    mkdirSync(path.join(root, 'checkout'))
    const env = { PATH: process.env['PATH'] ?? '', HOME: root, npm_config_offline: 'true', npm_config_cache: path.join(root, 'cache') }
    place = {
      ...{ prefix: path.join(root, 'own/installed'), workspace: path.join(root, 'checkout'), release: null, own: null, env },
      onLine: (line) => void lines.push(line),
    }
    mkdirSync(path.join(root, 'own'))
    open = new AsyncDisposableStack()
  })
  afterEach(() => open.disposeAsync())

  const outputOf = ([program = '', ...args]: readonly string[]): string => execFileSync(program, args, { encoding: 'utf8' })

  /** Serves files on the loopback, and returns the URL of their directory. */
  async function serve(files: Readonly<Record<string, string>>): Promise<string> {
    const server = createServer(({ url = '' }, response) => {
      const text = files[url]
      if (text === undefined) response.writeHead(404).end()
      else response.end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.defer(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it.each(['/0.1.0', '/0.1.0/'])('a URL such as HOST%s has install.sh, which gets the packages from there', async (directory) => {
    const url = await serve({ '/0.1.0/install.sh': installer })
    expect(outputOf(await paddockProgram(`${url}${directory}`, place))).toBe('from-a-script\n')
    expect(lines).toEqual([`install: --from ${url}/0.1.0 --prefix ${place.prefix}`])
  })

  it('an archive for npm in the checkout is installed for this job only', async ({ skip }) => {
    skip(findProgram('npm', process.env['PATH'] ?? '') === null, 'npm is not installed here')
    const made = path.join(root, 'package')
    mkdirSync(made)
    writeFileSync(path.join(made, 'package.json'), JSON.stringify({ name: 'paddock', version: '0.1.0', bin: { paddock: 'start.js' } }))
    writeFileSync(path.join(made, 'start.js'), "#!/usr/bin/env node\nconsole.log('from-an-archive')\n")
    chmodSync(path.join(made, 'start.js'), 0o755)
    execFileSync('tar', ['-czf', path.join(place.workspace, 'paddock-0.1.0.tgz'), '-C', root, 'package'])
    const program = await paddockProgram('paddock-0.1.0.tgz', place)
    expect(program).toEqual([path.join(place.prefix, 'bin/paddock')])
    expect(outputOf(program)).toBe('from-an-archive\n')
  })

  it('a URL, an archive or a directory that cannot be used is refused with its reason', async () => {
    const url = await serve({ '/bad/install.sh': 'echo "install: the signature of SHA256SUMS is wrong." >&2; exit 1\n' })
    writeFileSync(path.join(place.workspace, 'torn.tgz'), 'not an archive')
    mkdirSync(path.join(place.workspace, 'empty'))
    for (const [from, code, message] of [
      [`${url}/none`, 'FILES_FAILED', `${url}/none/install.sh could not be fetched: status 404.`],
      [`${url}/bad`, 'FILES_FAILED', 'Paddock could not be installed: the signature of SHA256SUMS is wrong.'],
      [`${url}/0.1.0/paddock-0.1.0.tgz`, 'BAD_INPUT', 'is a file, but a URL must name the directory of the packages.'],
      ['http://packages.example/', 'BAD_INPUT', 'Input from: http is not encrypted.'],
      ['torn.tgz', 'FILES_FAILED', 'Paddock could not be installed: '],
      ['empty', 'NOT_FOUND', 'contains no install.sh.'],
    ] as const)
      await expect(paddockProgram(from, place)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    const named = await paddockProgram(`${url}/0.1.0/paddock-0.1.0.tgz`, place).catch((error: { hint: string }) => error.hint)
    expect(named).toBe(`Use ${url}/0.1.0/`)
    expect(() => readFileSync(path.join(place.prefix, 'bin/paddock'))).toThrow('ENOENT')
  })
})
