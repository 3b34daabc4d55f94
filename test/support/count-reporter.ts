import type { Reporter, TestModule } from 'vitest/node'

/** Prints the plain closing line, and every skipped test with its reason, so that nothing is skipped in silence. */
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
    for (const each of skipped) console.log(`skipped: ${each}`)
    console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  }
}

export default CountReporter
