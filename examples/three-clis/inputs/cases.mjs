// The inputs of each case, which a submission gets. The expected results are elsewhere, where no submission can read them.

const lines = (...texts) => texts.map((each) => `${each}\n`).join('')

/** Yields the same numbers in every run, so that every submission gets the same input. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647
    yield state
  }
}

function many(count) {
  const next = random(20240229)
  const pick = (below) => next.next().value % below
  const suffixes = ['', '', '', '-alpha', '-alpha.1', '-alpha.beta', '-beta.2', '-beta.11', '-rc.1', '-0.3.7', '+build.5']
  return lines(...Array.from({ length: count }, () => `${pick(2) ? 'v' : ''}${pick(30)}.${pick(50)}.${pick(50)}${suffixes[pick(suffixes.length)]}`))
}

export const cases = {
  order: [
    lines('1.10.0', '1.9.0', '1.2.0', '0.0.1', '10.0.0', '9.99.99', '2.0.0'),
    lines('1.0.0', '1.0.0-rc.1', '1.0.0-beta.11', '1.0.0-beta.2', '1.0.0-beta', '1.0.0-alpha.beta', '1.0.0-alpha.1', '1.0.0-alpha'),
    lines('1.0.0-alpha', '1.0.0-9', '1.0.0-10', '1.0.0-Z', '1.0.0-a', '1.0.0--', '1.0.0-0a', '1.0.0-a.b.c', '1.0.0-a.b'),
  ],
  numbers: [
    lines('1.0.100000000000000000000000000001', '1.0.100000000000000000000000000000', '1.0.99999999999999999999999999999'),
    lines('1.0.0-rc.9007199254740993', '1.0.0-rc.9007199254740992', '1.0.0-rc.9007199254740991', '9007199254740993.0.0', '9007199254740992.0.0'),
  ],
  stable: [
    lines('1.0.0+b', 'v1.0.0', '1.0.0+a', '1.0.0', '0.9.0', 'v0.9.0+z', '1.0.0-rc.1+2', '1.0.0-rc.1+1'),
    'v2.0.0\r\n1.0.0\r\n\r\n1.0.0+x\r\nv1.0.0',
  ],
  invalid: [
    lines('1.2', '01.0.0', '1.0.0-01', '1.0.0-', '1.0.0+', '1.0.0-a..b', '', 'latest', '1.0.0', ' 1.0.0', '1.0.0-é', 'V1.0.0', 'vv1.0.0', '1.0.0+01'),
    lines('nothing', 'of', 'all', 'this'),
    '',
  ],
  large: [many(100_000)],
}

