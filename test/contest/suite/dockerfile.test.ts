import path from 'node:path'
import { expect, test } from 'vitest'
import { readDockerfile } from '../../../src/contest/suite/harbor/dockerfile.ts'
import { pathsOutside } from '../../../src/contest/suite/harbor/named-paths.ts'
import { hasEffect, placesOf } from '../../../src/contest/suite/harbor/task-places.ts'

test('files, variables and packages are read; lines that go on are one', () => {
  const { workdir, env, steps, packages, reasons } = readDockerfile(
    [
      '# a comment',
      'FROM --platform=linux/amd64 python:3.12-slim',
      'ARG HOME_OF=/srv/data',
      'ENV MODE=strict TEXT="two words" \\',
      '    MORE=$MODE',
      'ENV OLD style of value',
      'RUN apt-get update && apt-get install -y --no-install-recommends git=1.2 \\',
      '    jq && rm -rf /var/lib/apt/lists/*',
      "RUN pip install --no-cache-dir 'pandas==2.1.0' scipy[all]",
      'WORKDIR /app',
      'WORKDIR sub',
      'COPY --chown=1:1 a.txt b.txt ./',
      'COPY ["with space", "/data/"]',
      `RUN mkdir -p "$HOME_OF/x"; echo 'a && b > c' > note && chmod 0600 note`,
      'CMD ["sleep", "infinity"]',
    ].join('\n'),
  )
  expect(reasons).toEqual([])
  expect(workdir).toBe('/app/sub')
  expect(env).toEqual({ HOME_OF: '/srv/data', MODE: 'strict', TEXT: 'two words', MORE: 'strict', OLD: 'style of value' })
  expect(packages).toEqual({ apt: ['git', 'jq'], pip: ['pandas==2.1.0', 'scipy[all]'], programs: ['python3'] })
  expect(steps.flatMap(({ writes }) => writes.flatMap((each) => (each.kind === 'changed' ? [] : [each.path])))).toEqual([
    '/app',
    '/app/sub',
    '/app/sub',
    '/data',
    '/srv/data/x',
    '/app/sub/note',
  ])
})

test('here-documents are files and scripts, not instructions', () => {
  const { steps, packages, aliases, reasons } = readDockerfile(
    [
      'FROM debian',
      'WORKDIR /app',
      'COPY <<EOF <<"b.txt" ./in/',
      'RUN is a line of text, and so is',
      '1 APPLE $MODE',
      'EOF',
      'of b',
      'b.txt',
      "COPY <<-'END' one.txt",
      '\tUSER nobody',
      '\tEND',
      'RUN <<EOF',
      'set -e',
      '# a comment',
      'apt-get update && apt-get install -y git',
      'mkdir -p /data/x',
      'cat > /data/x/run.sh <<INNER',
      '#!/bin/sh',
      'INNER',
      'EOF',
      'RUN mkdir -p bin && cat <<EOF > bin/greet && chmod +x bin/greet',
      'FROM nowhere',
      'EOF',
      'RUN ln -sf /usr/bin/python3 /usr/bin/python || true',
    ].join('\n'),
  )
  expect(reasons).toEqual([])
  expect(packages.apt).toEqual(['git'])
  expect(aliases).toEqual([{ name: 'python', program: '/usr/bin/python3' }])
  expect(steps.flatMap(({ writes }) => writes)).toEqual(
    [
      ['/app', 'made'],
      ['/app/in/EOF', 'file'],
      ['/app/in/b.txt', 'file'],
      ['/app/one.txt', 'file'],
      ['/data/x', 'made'],
      ['/data/x/run.sh', 'file'],
      ['/app/bin', 'made'],
      ['/app/bin/greet', 'file'],
      ['/app/bin/greet', 'changed'],
    ].map(([path, kind]) => ({ path, kind })),
  )
  const lines = steps.map(({ line }) => line).join('\n')
  for (const text of ['1 APPLE $MODE\n', "printf %s 'USER nobody\n'", '#!/bin/sh\nINNER', 'FROM nowhere\nEOF'])
    expect(lines).toContain(text)
})

test('another name for a program is not a file of a task', () => {
  const aliasesOf = (line: string) => readDockerfile(`FROM debian\nRUN ${line}`).aliases
  const python = [{ name: 'python', program: '/usr/bin/python3' }]
  for (const line of [
    'ln -s /usr/bin/python3 /usr/bin/python',
    'cd /usr/bin && ln -sf python3 python',
    'ln -s python3 /usr/bin/python',
    'update-alternatives --install /usr/bin/python python /usr/bin/python3 1',
  ])
    expect(aliasesOf(line), line).toEqual(python)
  expect(aliasesOf('ln -s /usr/lib/x/tool /usr/local/bin/')).toEqual([{ name: 'tool', program: '/usr/lib/x/tool' }])
  expect(aliasesOf('ln -s /app/tool /data/tool')).toEqual([])
})

test('a variable without a value is empty, and PATH stays that of the cell', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the syntax of Dockerfiles.
  const { env, notes } = readDockerfile('FROM debian\nENV LIBS=/x:$LIBS MODE=${MODE:-strict} PATH="/x:$PATH"')
  expect(env).toEqual({ LIBS: '/x:', MODE: 'strict' })
  expect(notes).toEqual(['its PATH is not used: /x:$PATH'])
})

test.each([
  ['FROM golang:1.22', 'the contents of the image golang:1.22 are not known'],
  ['FROM debian\nFROM debian', 'it is built in several stages'],
  ['FROM debian\nCOPY --from=build /x /y', 'it copies from another stage'],
  ['FROM debian\nCOPY ../secret /app/', 'it copies from outside of its directory'],
  ['FROM debian\nADD https://example.com/x /app/', 'it fetches a file'],
  ['FROM debian\nRUN curl -o x https://example.com', 'it runs curl -o x'],
  ['FROM debian\nRUN echo $(id) > /app/x', 'only plain commands are supported'],
  ['FROM debian\nRUN echo "`id`" > /app/x', 'only plain commands are supported'],
  ['FROM debian\nRUN cat a | sh', 'only plain commands are supported'],
  ['FROM debian\nRUN mkdir /app || id', 'only plain commands are supported'],
  ['FROM debian\nRUN mkdir /app & id', 'only plain commands are supported'],
  ['FROM debian\nRUN --mount=type=secret mkdir /app', 'RUN with options is not supported'],
  ['FROM debian\nRUN pip install -r requirements.txt', 'it installs -r'],
  ['FROM debian\nENTRYPOINT ["server"]', 'ENTRYPOINT is not supported'],
  ['FROM debian\nRUN mkdir "$UNKNOWN/x"', 'it runs mkdir'],
  ['FROM debian\nRUN echo x > "$UNKNOWN/x"', 'it runs echo'],
  ['FROM debian\nRUN touch ~/x', 'it runs touch'],
  ['', 'it has no FROM'],
  // A parser that retries from each part of this would not end.
  [`FROM debian\nRUN rm -rf ${'/var/cache/'.repeat(40)} $X`, 'it runs rm -rf'],
  [`FROM debian\nRUN curl "${'\\"'.repeat(32_000)}`, 'it runs curl'],
  [`FROM debian\n${'# x\n'.repeat(20_000)}`, 'it is over 64 KiB'],
])('%j is refused', (text, reason) => {
  expect(readDockerfile(text).reasons.join('\n')).toContain(reason)
})

test('settings of interactive shells are not files of a task', () => {
  for (const file of ['/root/.bashrc', '~/.profile', '$HOME/.bash_profile', '/home/user/.zshrc']) {
    const { steps, notes, reasons } = readDockerfile(`FROM debian\nRUN echo 'export A=1' >> ${file}`)
    expect([steps, notes, reasons], file).toEqual([[], [`its settings of shells are not used: ${file}`], []])
  }
})

test('one reason is given for an instruction', () => {
  const { reasons } = readDockerfile('FROM debian\nRUN <<EOF\nif true; then\n  make\nfi\nmake install\nEOF\nRUN <<EOF\nmake\n')
  expect(reasons).toEqual(['Dockerfile, line 2: it runs if true', 'Dockerfile, line 8: its here-document EOF has no end'])
})

const placed = (workdir: string | null, files: readonly string[], named: readonly string[] = []) =>
  placesOf(
    {
      workdir,
      writes: files.map((each) => ({ path: path.normalize(each.replace(/\/$/, '')), kind: each.endsWith('/') ? 'made' : 'file' })),
      named: named.map((each) => ({ path: each, kind: 'file' })),
    },
    '/home/me',
    (directory) => directory === '/usr/share',
  )

test('a task has directories of its own, also below directories that others share', () => {
  expect(placed('/app/sub', ['/app/x', '/data/in/y', '/opt/tool/z'])).toEqual({ directories: ['/app', '/data', '/opt/tool'] })
  expect(placed('/home/user', ['/root/project/', '/tmp/in/x', '/solution/', '/var/www/html/x', '/var/lib/tool/x'])).toEqual({
    directories: ['/home/user', '/root/project', '/solution', '/tmp/in', '/var/lib/tool', '/var/www'],
  })
  expect(placed('/home/me/work', [])).toEqual({ directories: ['/home/me/work'] })
  expect(placed('/home/user/.config/app', ['/home/user/.ssh/config'], ['/root/.bashrc'])).toEqual({ directories: ['/home/user', '/root'] })
  expect(placed('/app', ['/tmp/x', '/tmp/in/y'], ['/srv/out.txt'])).toEqual({ directories: ['/app', '/srv', '/tmp'] })
  // These exist in each image or on this machine.
  expect(placed('/app', ['/tmp/', '/root/', '/logs/verifier/', '/tests/', '/usr/share/'])).toEqual({ directories: ['/app'] })
})

test.each([
  ['/etc/passwd', 'it writes /etc/passwd, which is in /etc, a directory of the system'],
  ['/usr/local/bin/x', 'it writes /usr/local/bin/x, which is in /usr, a directory of the system'],
  ['/home/me/x', 'it writes /home/me/x, and /home/me is the home directory of cells here'],
  ['/root/.ssh/x', 'it writes /root/.ssh/x, which is hidden in a directory that can be the home of agents, with their settings'],
  ['/opt/x', 'it writes /opt/x, and /opt can contain directories of the system, so only directories below it can be used'],
  ['/tests/x', 'it writes /tests/x, and its tests are in /tests'],
  ['/contest/out', 'it writes /contest/out, which is in /contest, a directory of a contest'],
  ['/x.txt', 'it writes /x.txt, which is in the root directory'],
])('a task has no file %s', (file, reason) => {
  expect(placed('/app', [file])).toEqual({ reasons: [reason] })
})

test('paths in an instruction are outside of a task if they are files, or in a directory such as /home', () => {
  const instruction = `Read /app/in.csv and ~/notes/x.txt, call GET /api/users on https://example.com/x.json, and use /usr/bin/python3.
Write \`/output/report.json\`, "/home/user/out", /tmp/in/a.txt and /tmp/in. Change ~/.x, /home/user/.config/a.json and /var/run/x.pid. Nothing belongs in /tmp, /tests/x.py or /logs/agent/x.log.`
  expect(pathsOutside(instruction, ['/app'])).toEqual([
    { path: '/output/report.json', kind: 'file' },
    { path: '/home/user/out', kind: 'file' },
    { path: '/tmp/in/a.txt', kind: 'file' },
    { path: '/tmp/in', kind: 'directory' },
    { path: '/home/user/.config/a.json', kind: 'file' },
  ])
})

test('a step that only makes directories of the workspace, of the tests or of the system has no effect', () => {
  const { steps } = readDockerfile(
    'FROM debian\nWORKDIR /app/in\nRUN mkdir -p /logs/verifier /app && mkdir x && chmod 1777 /tmp && echo x\nRUN mkdir -p /logs/x /app/y\nCOPY a ./\n',
  )
  const left = steps.filter((each) => hasEffect({ directories: ['/app'], cwd: '/app/in' }, each))
  expect(left.map(({ writes }) => writes.map((each) => each.path))).toEqual([['/app/in/x'], ['/logs/x', '/app/y'], ['/app/in']])
})

test('a task does not work in the root directory, unless it is not known where it works', () => {
  expect(placed('/', [])).toEqual({ reasons: ['its working directory is /'] })
  expect(placed(null, [])).toEqual({ directories: [] })
})
