import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pathsOutside } from '../../../src/contest/suite/harbor/named-paths.ts'
import { usePrograms, writePrograms } from '../../../src/contest/suite/harbor/offline-programs.ts'
import { scriptNeeds } from '../../../src/contest/suite/harbor/script-needs.ts'
import { temporary } from '../../support/temporary.ts'

type Temporary = Awaited<ReturnType<typeof temporary>>

const nothing = (): null => null
const needs = (text: string) => scriptNeeds('tests/test.sh', text, nothing)

const template = `#!/bin/bash
set -e
apt-get update
apt-get install -y curl

curl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh

source $HOME/.local/bin/env

uvx \\
  --with pytest==8.4.1 \\
  --with pytest-json-ctrf==0.3.5 \\
  pytest --ctrf ctrf.json tests.py -rA
`

test('a script needs the packages that it fetches, and no network for them', () => {
  expect(needs(template)).toEqual({
    apt: ['curl'],
    pip: ['pytest==8.4.1', 'pytest-json-ctrf==0.3.5', 'pytest'],
    pythons: [],
    fetching: ['apt-get', 'curl', 'uvx'],
    reasons: [],
  })
  expect(needs('uv venv .v\nsource .v/bin/activate\nuv pip install -q "numpy>=1,<2"\nuv run -p 3.13 --with=a,b pytest x')).toMatchObject({
    pip: ['numpy>=1,<2', 'a', 'b', 'pytest'],
    pythons: ['3.13'],
    fetching: ['uv'],
  })
  expect(needs('uvx -p 3.13 -w httpx==0.27.2 --from "black" blackd; if ! python3 -m pip install pandas; then exit 1; fi')).toMatchObject({
    pip: ['httpx==0.27.2', 'black', 'pandas'],
    fetching: ['uvx', 'python3'],
  })
  expect(needs('pip install --root-user-action ignore -i https://example.com/simple pandas > /dev/null 2>&1').pip).toEqual(['pandas'])
  expect(scriptNeeds('tests/test.sh', 'pip install -r /tests/needs.txt', () => '# a comment\npandas == 2 # another\n-i x\n').pip).toEqual([
    'pandas==2',
  ])
})

test.each([
  ['curl -s http://localhost:8080/x && wget -q "$URL"', []],
  ["echo 'curl https://example.com' # npm ci\ncat <<EOF\nnpm ci\nEOF", []],
  ['cargo test', []],
  ['true\nwget https://example.com/x', ['tests/test.sh, line 2: wget needs a network, which checks do not have']],
  ['cd x && npm install left-pad', ['tests/test.sh, line 1: npm install needs a network, which checks do not have']],
  ['git clone https://example.com/x', ['tests/test.sh, line 1: git clone needs a network, which checks do not have']],
  ['pip install $PACKAGES', ['tests/test.sh, line 1: it installs $PACKAGES, which is not looked up']],
  ['pip install -r here.txt', ['tests/test.sh, line 1: it installs -r here.txt, which is not looked up']],
])('%j: why it needs a network', (text, reasons) => {
  expect(needs(text).reasons).toEqual(reasons)
})

test('a long script is read to an end', () => {
  // Reading that starts over at each line, word or quote would not end.
  for (const text of ['a \\\n', 'if ', '"\\" ', "'", '<<A ', '; ', '/a/', 'uvx --with a '])
    expect(needs(text.repeat(300_000)).reasons, text).toEqual([])
  expect(
    pathsOutside('/srv/x/'.repeat(100_000) + Array.from({ length: 50_000 }, (_, at) => ` /srv/${at}`).join(''), []).length,
  ).toBeLessThan(2000)
})

/** Installs distributions for python3, with modules of their names that print their arguments and variables. */
async function installed(root: Temporary, names: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const version = execFileSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], { encoding: 'utf8' }).trim()
  for (const name of names) {
    const packages = root.at(`home/.local/lib/python${version}/site-packages`)
    await mkdir(`${packages}/${name}-1.0.dist-info`, { recursive: true })
    await mkdir(`${packages}/${name}`, { recursive: true })
    await writeFile(`${packages}/${name}-1.0.dist-info/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`)
    // Without this file, a package of this machine with the same name comes first.
    await writeFile(`${packages}/${name}/__init__.py`, '')
    await writeFile(
      `${packages}/${name}/__main__.py`,
      `import os, sys\nprint("${name}", *sys.argv[1:], os.environ.get("PYTEST_PLUGINS"))\n`,
    )
  }
  // The programs of this machine, without those of the same names.
  const programs = root.at('programs')
  await mkdir(programs)
  for (const each of await readdir('/usr/bin'))
    if (!names.some((name) => each.startsWith(name))) await symlink(`/usr/bin/${each}`, `${programs}/${each}`)
  return { HOME: root.at('home'), PATH: programs }
}

async function ran(root: Temporary, script: string, env: NodeJS.ProcessEnv, hasReport = false) {
  const inputs = root.at('inputs')
  const programs = { fetching: ['apt-get', 'curl', 'wget', 'uv', 'uvx', 'pip', 'pytest', 'python3'], aliases: [], hasReport }
  await writePrograms(programs, inputs)
  await mkdir(root.at('work'), { recursive: true })
  const { stdout, stderr, status } = spawnSync('bash', ['-c', `${usePrograms(programs).replaceAll('/inputs', inputs)}${script}`], {
    env,
    cwd: root.at('work'),
    encoding: 'utf8',
  })
  return { output: stdout.trim(), error: stderr.trim().split(' (programs')[0], status }
}

test('the usual script runs without a network where pytest is installed', async () => {
  await using root = await temporary()
  const env = await installed(root, ['pytest'])
  expect(await ran(root, template, env, true)).toEqual({
    output: 'pytest --ctrf ctrf.json tests.py -rA paddock_ctrf',
    error: '',
    status: 0,
  })
  const more =
    'set -e; wget -qO- https://astral.sh/uv/install.sh | sh; curl -o i.sh https://astral.sh/uv/install.sh; sh i.sh; uv init; uv add "pytest>=8,<9"; uv run --no-project pytest a; uv tool run pytest@8 b; pip install -q pytest; python3 -m pip install pytest; python3 -m pytest c; pytest d; $HOME/.local/bin/uvx pytest e; python3 -c "print(1)"'
  expect((await ran(root, more, env)).output.split('\n')).toEqual([...['a', 'b', 'c', 'd', 'e'].map((each) => `pytest ${each} None`), '1'])
})

test.each([
  ['uvx --with paddock-absent pytest x', 'uvx: this cell does not have the Python package paddock-absent'],
  ['uvx paddock-absent', 'uvx: this cell does not have the Python package paddock-absent'],
  ['uv run --with paddock-absent true', 'uv: this cell does not have the Python package paddock-absent'],
  ['uv sync', 'uv: uv sync is not possible'],
  ['pip install a-b.c_d', 'pip: this cell does not have the Python package a-b.c_d'],
  ['pip install -r absent.txt', 'pip: absent.txt cannot be read'],
  ['apt-get install -y bash paddock-absent', 'apt-get: this cell does not have the Debian package paddock-absent'],
  ['apt-get purge bash', 'apt-get: apt-get purge is not possible'],
])('%s fails with a sentence', async (line, error) => {
  await using root = await temporary()
  expect(await ran(root, line, { HOME: root.at('home'), PATH: '/usr/bin:/bin', PYTHONNOUSERSITE: '1' })).toMatchObject({ error, status: 1 })
})

test('another name for a program starts it, and the report of pytest has a file of its own', async () => {
  await using root = await temporary()
  await writePrograms({ fetching: [], aliases: [{ name: 'greet', program: 'echo' }], hasReport: true }, root.at('inputs'))
  expect(execFileSync(root.at('inputs/greet'), ['two words'], { encoding: 'utf8' })).toBe('two words\n')
  expect(await readFile(root.at('inputs/paddock_ctrf.py'), 'utf8')).toContain('--ctrf')
})
