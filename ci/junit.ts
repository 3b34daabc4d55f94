/** A result that a CI system lists as a test. */
export interface TestCase {
  readonly group: string
  readonly name: string
  /** `error`: it could not be tested. `skipped`: it cannot be tested on this machine. */
  readonly state: 'passed' | 'failed' | 'error' | 'skipped'
  readonly text: string
}

const tags = { failed: 'failure', error: 'error', skipped: 'skipped' } as const

/** Returns junit.xml. */
export function junit(name: string, cases: readonly TestCase[]): string {
  const count = (state: TestCase['state']): number => cases.filter((each) => each.state === state).length
  const counts = `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...cases.map((each) => {
      const open = `    <testcase classname="${xml(each.group)}" name="${xml(each.name)}"`
      return each.state === 'passed' ? `${open}/>` : `${open}><${tags[each.state]} message="${xml(each.text)}"/></testcase>`
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Returns text for an attribute of XML 1.0, without the characters that it cannot contain. */
function xml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\n]/g, (each) => escapes[each] ?? each)
}
