/**
 * Returns Node options that change the source of one module of Paddock (its path relative to `src/`) in a Paddock started with them.
 * `from` is replaced by `to`. It fails loudly if the source does not contain `from`.
 */
export function changedSource(file: string, from: string, to: string): readonly string[] {
  const hook = `
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, next) {
        const loaded = next(url, context)
        if (!url.endsWith(${JSON.stringify(`/src/${file}`)})) return loaded
        const source = loaded.source.toString()
        if (!source.includes(${JSON.stringify(from)})) throw new Error('there is no such place to change')
        return { ...loaded, source: source.replace(${JSON.stringify(from)}, () => ${JSON.stringify(to)}) }
      },
    })`
  return ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
}
