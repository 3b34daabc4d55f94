/** Regular expressions for the paths of tests and of files that tests use. The check replaces these files by those of the fix. */
const tests = [
  '(?:^|/)(?:test|tests|__tests__|spec|specs|testdata|__snapshots__|__mocks__)/',
  String.raw`(?:^|/)[^/]*[._-](?:test|tests|spec)\.[cm]?[jt]sx?$`,
  String.raw`(?:^|/)test(?:[._-][^/]*)?\.[cm]?[jt]sx?$`,
  String.raw`(?:^|/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$`,
  String.raw`_test\.go$`,
]

/** Regular expressions for the paths of files that configure a test runner, or name its packages. */
const configuration = [
  String.raw`(?:^|/)(?:package|package-lock|npm-shrinkwrap|tsconfig[^/]*|jsconfig|node\.config)\.json$`,
  String.raw`(?:^|/)(?:vite|vitest|jest|babel|ava|mocha)\.(?:config|setup|workspace)\.[^/]+$`,
  String.raw`(?:^|/)\.(?:babelrc|swcrc|mocharc|npmrc|coveragerc|env)(?:\.[^/]*)?$`,
  String.raw`(?:^|/)(?:yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile|Pipfile\.lock|requirements[^/]*\.txt)$`,
  String.raw`(?:^|/)(?:\.?pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|sitecustomize\.py|usercustomize\.py)$`,
  String.raw`(?:^|/)(?:go\.mod|go\.sum|go\.work|Cargo\.toml|Cargo\.lock|\.cargo/config(?:\.toml)?)$`,
]

/** Regular expressions for the paths of files that programs do not run. */
const documents =
  /(?:^|\/)(?:docs?|\.github)\/|\.(?:md|mdx|rst|txt|adoc)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|CHANGES|NEWS|AUTHORS|\.gitignore)$/i

export const restoredPatterns: readonly string[] = [...tests, ...configuration]

const [ofTests, ofConfiguration] = [tests, configuration].map((list) => list.map((each) => new RegExp(each))) as [RegExp[], RegExp[]]

/** Returns the role of a file in a commit. `test` and `configuration` are restored by the check. */
export function roleOf(file: string): 'test' | 'configuration' | 'document' | 'source' {
  if (ofTests.some((each) => each.test(file))) return 'test'
  if (ofConfiguration.some((each) => each.test(file))) return 'configuration'
  return documents.test(file) ? 'document' : 'source'
}
