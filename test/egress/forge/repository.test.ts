import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import { parseRepository } from '../../../src/egress/forge/repository.ts'

test('a repository, an owner, a host, each for reading by default', () => {
  expect(parseRepository('github.com/me/it')).toEqual({ host: 'github.com', path: ['me', 'it'], access: 'read' })
  expect(parseRepository('https://GitHub.com/me/it.git=write')).toEqual({ host: 'github.com', path: ['me', 'it'], access: 'write' })
  expect(parseRepository('gitlab.example/a/b/c/=read')).toEqual({ host: 'gitlab.example', path: ['a', 'b', 'c'], access: 'read' })
  expect(parseRepository('github.com/me/*')).toEqual({ host: 'github.com', path: ['me', '*'], access: 'read' })
  expect(parseRepository('git.example=write')).toEqual({ host: 'git.example', path: null, access: 'write' })
})

test.each([
  ['', 'is not a host name'],
  ['me/it', 'is not a repository'],
  ['github.com/me', 'is not a repository'],
  ['github.com/*/it', 'is not a repository'],
  ['github.com/me/it*', 'is not a repository'],
  ['github.com/me/**', 'is not a repository'],
  ['github.com/me/..', 'is not a repository'],
  ['github.com/me/a%2fb', 'is not a repository'],
  ['github.com/me//it', 'is not a repository'],
  ['*.github.com/me/it', 'stands for many hosts'],
  ['git@github.com:me/it', 'is not a repository'],
  ['github.com:8443/me/it', 'is not a repository'],
  ['http://github.com/me/it', 'is not a repository'],
  ['github.com/me/it=admin', 'has neither read nor write'],
  ['github.com/me/it=read=write', 'has neither read nor write'],
])('%j is refused, with what would be right', (text, why) => {
  expect(() => parseRepository(text)).toThrow(why)
})

test('any text is read or refused in one sentence, and what is read holds nothing but names', () => {
  const piece = fc.constantFrom('github.com', 'me', '/', '*', '=write', '.git', '..', '%2e', 'https://', '\n', '"', '~')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((each) => each.join('')),
      ),
      (text) => {
        try {
          const { path } = parseRepository(text)
          for (const each of path ?? []) expect(each).toMatch(/^(?:\*|(?!\.{1,2}$)[\w.~-]+)$/)
        } catch (error) {
          expect(error).toBeInstanceOf(PaddockError)
        }
      },
    ),
  )
})
