import { expect, test } from 'vitest'
import { readDockerfile } from '../../../src/contest/suite/harbor/dockerfile.ts'
import { placesOf } from '../../../src/contest/suite/harbor/task-places.ts'

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
  expect(steps.flatMap(({ writes }) => writes)).toEqual([
    '/app',
    '/app/sub',
    '/app/sub',
    '/data',
    '/srv/data/x',
    '/app/sub/note',
    '/app/sub/note',
  ])
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
  ['', 'it has no FROM'],
  // A parser that retries from each part of this would not end.
  [`FROM debian\nRUN rm -rf ${'/var/cache/'.repeat(40)} x`, 'it runs rm -rf'],
  [`FROM debian\nRUN curl "${'\\"'.repeat(32_000)}`, 'it runs curl'],
  [`FROM debian\n${'# x\n'.repeat(20_000)}`, 'it is over 64 KiB'],
])('%j is refused', (text, reason) => {
  expect(readDockerfile(text).reasons.join('\n')).toContain(reason)
})

test('a task has directories of its own, and none of the system', () => {
  expect(placesOf('/app/sub', ['/app/x', '/data/in/y', '/opt/tool/z', '/'])).toEqual({ directories: ['/app', '/data', '/opt/tool'] })
  for (const each of ['/etc/passwd', '/usr/local/bin/x', '/root/x', '/home/me', '/opt', '/tests/x', '/contest/out'])
    expect(placesOf('/app', [each])).toEqual({ reason: `it works in ${each}, which is a directory of the system here` })
  expect(placesOf('/', [])).toEqual({ reason: 'its working directory is /' })
})
