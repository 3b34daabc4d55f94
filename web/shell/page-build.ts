const own = document.querySelector<HTMLMetaElement>('meta[name=paddock-build]')?.content ?? ''

/** Returns whether the server now has a different page. The page does not reload by itself, because the user may be typing. */
export async function isOfOtherBuild(): Promise<boolean> {
  try {
    const response = await fetch('/login', { cache: 'no-store' })
    const found = /<meta name="paddock-build" content="([^"]*)"/.exec(await response.text())?.[1]
    return response.ok && found !== undefined && found !== own
  } catch {
    return false
  }
}
