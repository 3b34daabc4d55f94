/**
 * Returns true for a line of an agent's output that people can read. A JSON object of an unknown type is an event of the CLI's own
 * protocol, which a newer version has and no parser knows.
 */
export function isForPeople(line: string): boolean {
  return line.trim() !== '' && !/^\s*\{\s*["}]/.test(line)
}
