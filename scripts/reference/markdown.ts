/** Returns the first lines of every generated page. */
export function heading(title: string, source: string): string {
  return `# ${title}\n\n<!-- Made from ${source} by \`npm run reference\`. Change that, not this. -->\n`
}

/** Returns a Markdown table; pipes and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((each) => each.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

export function code(text: string): string {
  return `\`${text}\``
}
