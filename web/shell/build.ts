const own = document.querySelector<HTMLMetaElement>('meta[name=paddock-build]')?.content ?? ''

/** Whether the server has another page by now; nothing is loaded anew by itself, since somebody may be writing. */
export async function isOfOtherBuild(): Promise<boolean> {
  try {
    const response = await fetch('/login', { cache: 'no-store' })
    const found = /<meta name="paddock-build" content="([^"]*)"/.exec(await response.text())?.[1]
    return response.ok && found !== undefined && found !== own
  } catch {
    return false
  }
}
