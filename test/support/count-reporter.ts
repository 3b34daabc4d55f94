import type { Reporter, TestModule } from 'vitest/node'

const mostSlow = 20

/** Prints the slowest files, every skipped test with its reason so that none is skipped silently, and a plain closing line. */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    const skipped: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') passed++
        else if (result.state === 'failed') failed++
        else skipped.push(`${test.fullName}: ${result.state === 'skipped' ? (result.note ?? 'no reason given') : result.state}`)
      }
    }
    printSlowest(modules)
    for (const each of skipped) console.log(`skipped: ${each}`)
    console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  }
}

/** Prints the files with the most seconds in tests and hooks. The time of imports does not count. */
function printSlowest(modules: readonly TestModule[]): void {
  const rows = modules.map((each) => ({ file: each.relativeModuleId, seconds: each.diagnostic().duration / 1000 }))
  if (rows.length < mostSlow) return
  console.log(`the slowest ${mostSlow} of ${rows.length} files, in seconds:`)
  for (const { file, seconds } of rows.sort((a, b) => b.seconds - a.seconds).slice(0, mostSlow))
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`)
}

export default CountReporter
