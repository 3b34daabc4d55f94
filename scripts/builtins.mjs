/**
 * Takes Node's own modules from `process.getBuiltinModule`. Importing one makes Node read all of its exports, so those that
 * Node makes lazily (file streams, text decoders, worker threads) would be made at the start of each command.
 */
export const builtins = {
  name: 'builtins',
  renderChunk(code) {
    const imports = this.parse(code).body.filter((each) => each.type === 'ImportDeclaration' && each.source.value.startsWith('node:'))
    let text = code
    for (const each of imports.toReversed()) text = text.slice(0, each.start) + declaration(each) + text.slice(each.end)
    return text
  },
}

/** Modules that most commands never use and that load many others. If only functions are imported, they are loaded with the first call. */
const loadedByCalls = new Set(['node:fs/promises', 'node:readline'])

function declaration({ source, specifiers }) {
  const from = `process.getBuiltinModule(${JSON.stringify(source.value)})`
  const whole = specifiers.filter((each) => each.type !== 'ImportSpecifier').map((each) => `const ${each.local.name}=${from};`)
  if (loadedByCalls.has(source.value) && specifiers.every((each) => isFunction(source.value, each)))
    return specifiers.map((each) => `const ${each.local.name}=(...given)=>${from}.${each.imported.name}(...given);`).join('')
  const named = specifiers.filter((each) => each.type === 'ImportSpecifier').map((each) => `${each.imported.name}:${each.local.name}`)
  return [...whole, ...(named.length > 0 ? [`const {${named.join(',')}}=${from};`] : [])].join('')
}

function isFunction(module, { type, imported }) {
  return type === 'ImportSpecifier' && typeof process.getBuiltinModule(module)[imported.name] === 'function'
}
