import { describe, expect, test } from 'vitest'
import { read, valueAt, withValue } from '../../web/pages/manifest/manifest-document.ts'
import { problemAt, problemsIn } from '../../web/pages/manifest/manifest-problems.ts'

const text = `name: docs # who
# what it reaches
egress:
  allow: [a.test]
limits:
  memory: 4GiB
`

describe('a manifest as form and as YAML', () => {
  test('a change in the form keeps the comments and the rest', () => {
    const changed = withValue(text, ['egress', 'allow'], ['a.test', 'b.test'])
    expect(changed).toContain('# who')
    expect(changed).toContain('# what it reaches')
    expect(valueAt(read(changed) as never, ['egress', 'allow'])).toEqual(['a.test', 'b.test'])
  })

  test('an emptied field goes with the groups that it leaves empty', () => {
    expect(withValue(text, ['limits', 'memory'], undefined)).not.toContain('limits')
    expect(read(withValue('name: a\nlimits: { memory: 1GiB, pids: 3 }\n', ['limits', 'memory'], undefined))?.toJS()).toEqual({
      name: 'a',
      limits: { pids: 3 },
    })
  })

  test('a word makes room for a group', () => {
    expect(read(withValue('workspace: own\n', ['workspace', 'copy'], '/p'))?.toJS()).toEqual({ workspace: { copy: '/p' } })
  })

  test('a value that is not a group of keys has no form', () => {
    for (const each of ['- a\n', 'a: [', 'just text', '3']) expect(read(each), each).toBeNull()
    for (const each of ['', 'name: a\n', '{"name": "a"}']) expect(read(each), each).not.toBeNull()
  })

  test('problems are found by line and key', () => {
    const problems = problemsIn(
      'line 4: limits.memory must be a size\nline 7: egress.allow[0] is not a host\nline 2: no value here\nThe manifest is larger than 256 KiB.',
    )
    expect(problems.map(({ line, key }) => [line, key])).toEqual([
      [4, 'limits.memory'],
      [7, 'egress.allow[0]'],
      [2, 'no'],
      [null, ''],
    ])
    expect(problemAt(problems, 'egress.allow')).toBe('egress.allow[0] is not a host')
    expect(problemAt(problems, 'limits')).toBe('limits.memory must be a size')
    expect(problemAt(problems, 'name')).toBeNull()
  })
})
