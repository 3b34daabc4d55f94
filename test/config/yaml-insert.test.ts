import { expect, test } from 'vitest'
import { insertYaml } from '../../src/config/yaml-insert.ts'

test.each([
  [
    'a key below a block map',
    'run: # mine\n  copy: true\n  # env: []\n',
    ['run', 'limits', 'memory'],
    '8GiB',
    'run: # mine\n  copy: true\n  limits: { memory: 8GiB }\n  # env: []\n',
  ],
  [
    'a key in a flow map',
    'run:\n  limits: {timeout: 2h} # long\n',
    ['run', 'limits', 'memory'],
    '8GiB',
    'run:\n  limits: {timeout: 2h, memory: 8GiB} # long\n',
  ],
  [
    'items of a block list',
    'run:\n  egress:\n    presets:\n      - npm # js\n  copy: true\n',
    ['run', 'egress', 'presets'],
    ['pypi', 'apt'],
    'run:\n  egress:\n    presets:\n      - npm # js\n      - pypi\n      - apt\n  copy: true\n',
  ],
  [
    'items of a flow list',
    "run: { egress: { presets: ['npm'] } }\n",
    ['run', 'egress', 'presets'],
    ['pypi'],
    "run: { egress: { presets: ['npm', pypi] } }\n",
  ],
  [
    'an item that needs quotes',
    'run:\n  egress: { allow: [] }\n',
    ['run', 'egress', 'allow'],
    ['a.test:443=[fd00::5]:443'],
    'run:\n  egress: { allow: ["a.test:443=[fd00::5]:443"] }\n',
  ],
  ['a key at the top', 'schemaVersion: 1\n# end', ['agents', 'claude'], {}, 'schemaVersion: 1\n# end\n\nagents:\n  claude: {}\n'],
  ['a key of a file with comments only', '# nothing yet\n', ['agents', 'claude'], {}, '# nothing yet\n\nagents:\n  claude: {}\n'],
  ['a key of JSON', '{"run":{"copy":true}}', ['run', 'limits', 'memory'], '8GiB', '{"run":{"copy":true, "limits":{"memory":"8GiB"}}}'],
] as const)('%s is added, and every other byte stays', (_, before, path, value, after) => {
  expect(insertYaml(before, path, value)).toBe(after)
})

test.each([
  ['the key exists', 'run: { copy: true }\n', ['run', 'copy'], false],
  ['a key above has no value', 'run:\nagents: {}\n', ['run', 'copy'], true],
  ['a key above is an alias', 'a: &x { copy: true }\nrun: *x\n', ['run', 'env'], []],
  ['the text is not valid', 'run: [\n', ['run', 'copy'], true],
] as const)('nothing is added if %s', (_, text, path, value) => {
  expect(insertYaml(text, path, value)).toBe(null)
})
