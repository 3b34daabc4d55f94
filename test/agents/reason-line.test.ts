import { expect, test } from 'vitest'
import { commandParser } from '../../src/adapters/command/output.ts'
import { reasonLine } from '../../src/adapters/output/reason-line.ts'
import { newParser } from '../support/parsers.ts'

const node = `node:internal/modules/cjs/loader:1568
  throw err;
  ^

Error: Cannot find module '/agent/jug.mjs'
    at node:internal/modules/cjs/loader:1565:15 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`
test.each([
  ['Node', node, "Error: Cannot find module '/agent/jug.mjs'"],
  [
    'Node, with a stack of require',
    "Error: Cannot find module 'x'\nRequire stack:\n- /agent/a.js\n    at a (node:internal/b:1:2) {\n  code: 'X'\n}\n\nNode.js v24.1.0\n",
    "Error: Cannot find module 'x'",
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    main()\n    ~~~~^^\nKeyError: \'x\'\n',
    "KeyError: 'x'",
  ],
  [
    'Rust',
    "thread 'main' (7) panicked at src/main.rs:2:5:\nno more left\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
    'no more left',
  ],
  [
    'Rust, with a backtrace',
    "thread 'main' panicked at a.rs:2:5:\nno more left\nstack backtrace:\n   0: std::panicking\n             at /rustc/a\nnote: run with `RUST_BACKTRACE=full` for a verbose backtrace.\n",
    'no more left',
  ],
  [
    'Java',
    'Exception in thread "main" java.lang.IllegalStateException: first\n\tat Main.main(Main.java:3)\nCaused by: java.io.IOException: gone\n\t... 1 more\n',
    'Caused by: java.io.IOException: gone',
  ],
  [
    'Go',
    'panic: no route\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/a.go:4 +0x18\ncreated by main.f in goroutine 1\nexit status 2\n',
    'panic: no route',
  ],
  ['C++', "terminate called after throwing an instance of 'x'\n  what():  no memory\nAborted (core dumped)\n", 'what():  no memory'],
  ['Ruby', "a.rb:1:in 'f': gone (RuntimeError)\n\tfrom a.rb:3:in '<main>'\n", "a.rb:1:in 'f': gone (RuntimeError)"],
  ['bash', '/agent/run.sh: line 3: jug: command not found\n', '/agent/run.sh: line 3: jug: command not found'],
  ['a plain message with Windows lines', 'reading\r\nthe file is gone\r\n', 'the file is gone'],
  ['indented text only', '  one\n  two\n', 'two'],
  ['nothing', '\n', ''],
])('4: the reason of a crash is the line that says it, not what the runtime adds: %s', (_, stderr, reason) => {
  expect(reasonLine(stderr)).toBe(reason)
})

test.each(['claude', 'codex', 'gemini', 'opencode', 'grok'])('4: a crash of %s gives the same reason as one of a command', (agent) => {
  const message = "Error: Cannot find module '/agent/jug.mjs'"
  for (const parser of [newParser(agent), commandParser()])
    expect(parser.end({ code: 1, stderr: node })).toContainEqual(expect.objectContaining({ type: 'error', message }))
})
