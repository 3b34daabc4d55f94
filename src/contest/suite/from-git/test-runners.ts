import path from 'node:path'
import { readRegular } from '../../../files/read-regular.ts'
import { isDirectory } from '../../config/contest-directories.ts'

/** A program that runs the tests of a commit, and how to read its results. */
export interface TestRunner {
  /** The language, as a tag of the brief. */
  readonly language: string
  readonly name: string
  /** A format of test-report.mjs. */
  readonly format: 'junit' | 'jest' | 'go' | 'cargo' | 'outcomes'
  /** Shell lines that write one report into the directory $1. They run in the root of the project. */
  readonly script: string
  /** The directory of installed packages that it may need. */
  readonly packages: 'node_modules' | '.venv' | null
}

/** A command of the user, and the JUnit report that it writes. */
export interface OwnCommand {
  readonly command: string
  readonly report: string
}

const mostBytes = 1024 ** 2
const javascript = /\.[cm]?[jt]sx?$/
const metacharacters = /[|&;<>()$`\\"'\n{}*?[\]~#!]/

/**
 * Returns the runner for the tests that a commit changes; null: no runner is known. `tree`: the files of the commit. `hasPytest`: whether
 * python3 in a cell has pytest.
 */
export async function runnerOf(
  tree: string,
  tests: readonly string[],
  { own, hasPytest }: { readonly own: OwnCommand | null; readonly hasPytest: boolean },
): Promise<TestRunner | null> {
  const of = (ending: RegExp): boolean => tests.some((each) => ending.test(each))
  const has = async (name: string): Promise<boolean> => (await readRegular(path.join(tree, name), mostBytes)).ok
  if (own !== null) return ofCommand(own, of(/\.py$/) ? 'python' : of(javascript) ? 'javascript' : null)
  if (of(javascript)) return ofPackage(await manifestOf(tree), of(/\.[cm]?tsx?$/) ? 'typescript' : 'javascript')
  if (of(/\.py$/)) return await ofPython(tree, hasPytest)
  if (of(/_test\.go$/) && (await has('go.mod')))
    return {
      language: 'go',
      name: 'go test',
      format: 'go',
      script: 'export GOPROXY=off GOTOOLCHAIN=local GOCACHE=/tmp/go-cache\ngo test -json ./... > "$1/report"',
      packages: null,
    }
  if (of(/\.rs$/) && (await has('Cargo.toml')))
    return {
      language: 'rust',
      name: 'cargo test',
      format: 'cargo',
      script: 'export CARGO_TARGET_DIR=/tmp/target\ncargo test --offline --no-fail-fast > "$1/report" 2>&1',
      packages: null,
    }
  return null
}

interface Manifest {
  readonly scripts?: { readonly test?: unknown }
  readonly devDependencies?: object
  readonly dependencies?: object
}

/** Returns package.json of a tree as far as it is valid. */
export async function manifestOf(tree: string): Promise<Manifest> {
  const read = await readRegular(path.join(tree, 'package.json'), mostBytes)
  try {
    const value: unknown = read.ok ? JSON.parse(read.bytes.toString('utf8')) : null
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function ofPackage({ scripts, dependencies, devDependencies }: Manifest, language: string): TestRunner {
  const uses = (name: string): boolean => Object.hasOwn({ ...dependencies, ...devDependencies }, name)
  const about = { language, packages: 'node_modules' } as const
  if (uses('vitest'))
    return {
      ...about,
      name: 'vitest',
      format: 'jest',
      script: 'node node_modules/vitest/vitest.mjs run --reporter=json --outputFile="$1/report"',
    }
  if (uses('jest'))
    return { ...about, name: 'jest', format: 'jest', script: 'node node_modules/jest/bin/jest.js --ci --json --outputFile="$1/report"' }
  const written = typeof scripts?.test === 'string' ? scripts.test.trim() : ''
  // Options of a simple line, such as --import or the names of files, are kept.
  const kept = /^node\s/.test(written) && / --test\b/.test(written) && !metacharacters.test(written) ? written.slice(4).trim() : '--test'
  const options = kept.replaceAll(/--test-reporter(?:-destination)?(?:=|\s+)\S+/g, '')
  return {
    ...about,
    name: 'node --test',
    format: 'junit',
    script: `node --test-reporter=junit --test-reporter-destination="$1/report" ${options}`,
  }
}

/** Writes the outcomes of unittest, which has no report of its own. */
const unittest = `import json, sys, unittest

outcomes = {}


class Result(unittest.TestResult):
    def stopTest(self, test):
        super().stopTest(test)
        outcomes.setdefault(test.id(), "passed")

    def addSkip(self, test, reason):
        outcomes[test.id()] = "skipped"

    def addError(self, test, error):
        outcomes[test.id()] = "failed"

    addFailure = addError

    def addSubTest(self, test, subtest, error):
        if error is not None:
            outcomes[test.id()] = "failed"

    def addUnexpectedSuccess(self, test):
        outcomes[test.id()] = "failed"


unittest.defaultTestLoader.discover(".").run(Result())
with open(sys.argv[1] + "/report", "w") as out:
    json.dump(outcomes, out)
`

async function ofPython(tree: string, hasPytest: boolean): Promise<TestRunner> {
  const about = { language: 'python', packages: '.venv' } as const
  const places = (await isDirectory(path.join(tree, 'src'))) ? 'src:.' : '.'
  const start = `export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${places}
python=python3
if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi`
  const ofPytest = `"$python" -m pytest -p no:cacheprovider --junitxml="$1/report"`
  if (hasPytest) return { ...about, name: 'pytest', format: 'junit', script: `${start}\n${ofPytest}` }
  return { ...about, name: 'unittest', format: 'outcomes', script: `${start}\n"$python" - "$1" <<'END'\n${unittest}END` }
}

function ofCommand({ command, report }: OwnCommand, language: string | null): TestRunner {
  return {
    language: language ?? 'other',
    name: 'own command',
    format: 'junit',
    script: `rm -f './${report}'\n(\n${command}\n)\ncp './${report}' "$1/report"`,
    packages: language === 'python' ? '.venv' : language === 'javascript' ? 'node_modules' : null,
  }
}
