import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const module = new URL('../../../src/cli/terminal/inherited-descriptor.ts', import.meta.url).pathname
const script = `import { isInherited } from ${JSON.stringify(module)}
console.log(JSON.stringify(Array.from({ length: 31 }, (_, n) => n).filter(isInherited)))`

/** Returns the descriptors from 0 to 30 that a new process finds inherited from a shell that closed all others and opened these. */
function inherited(opening: string): readonly number[] {
  const closing = 'for f in /proc/self/fd/*; do n=$(basename $f); [ $n -lt 3 ] || eval "exec $n>&-"; done 2>/dev/null'
  const shell = `${closing}; ${opening} exec "$0" --input-type=module -e "$1"`
  const ran = spawnSync('bash', ['-c', shell, process.execPath, script], { encoding: 'utf8' })
  return JSON.parse(ran.stdout) as number[]
}

test('only what the caller left open is inherited, and nothing of Node’s own', () => {
  expect(inherited('')).toEqual([0, 1, 2])
  expect(inherited('exec 5</dev/null 7< <(echo x);')).toEqual([0, 1, 2, 5, 7])
})
