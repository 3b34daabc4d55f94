const number = '(0|[1-9][0-9]*)'
const pre = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)'
const version = new RegExp(`^v?${number}\\.${number}\\.${number}(?:-(${pre}(?:\\.${pre})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`)

/** Returns what `semsort` must print for this input: { stdout, stderr, code }. */
export function expected(input) {
  const good = []
  let stderr = ''
  for (const [index, line] of input.split('\n').entries()) {
    const text = line.replace(/\r$/, '')
    if (text === '') continue
    const found = version.exec(text)
    if (found) good.push({ text, release: found.slice(1, 4), pre: found[4]?.split('.') ?? null })
    else stderr += `line ${index + 1}: ${text}\n`
  }
  good.sort((a, b) => byRelease(a, b) || byPrerelease(a.pre, b.pre))
  return { stdout: good.map((each) => `${each.text}\n`).join(''), stderr, code: stderr === '' ? 0 : 1 }
}

const numbers = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

function byRelease(a, b) {
  for (const index of [0, 1, 2]) {
    const order = numbers(a.release[index], b.release[index])
    if (order !== 0) return order
  }
  return 0
}

function byPrerelease(a, b) {
  if (a === null || b === null) return (a === null) - (b === null)
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const [one, other] = [a[index], b[index]]
    const [oneIsNumber, otherIsNumber] = [one, other].map((each) => /^[0-9]+$/.test(each))
    const order =
      oneIsNumber && otherIsNumber ? numbers(one, other) : oneIsNumber !== otherIsNumber ? (oneIsNumber ? -1 : 1) : one < other ? -1 : one > other ? 1 : 0
    if (order !== 0) return order
  }
  return a.length - b.length
}
