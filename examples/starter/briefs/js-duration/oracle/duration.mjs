const form = /^ *(?:(\d{1,6})d *)?(?:(\d{1,6})h *)?(?:(\d{1,6})m *)?(?:(\d{1,6})s *)?$/
const sizes = [86_400, 3600, 60, 1]

export function parseDuration(text) {
  const parts = typeof text === 'string' ? form.exec(text)?.slice(1) : undefined
  if (parts === undefined || parts.every((each) => each === undefined)) throw new RangeError('not a duration')
  return parts.reduce((sum, each, at) => sum + Number(each ?? 0) * sizes[at], 0)
}

export function formatDuration(seconds) {
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError('not a number of seconds')
  const parts = []
  let rest = seconds
  for (const [at, size] of sizes.entries()) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${'dhms'[at]}`)
  }
  return parts.length === 0 ? '0s' : parts.join(' ')
}
